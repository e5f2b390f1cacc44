/** Aligned columns for terminals and pipes. Pure. */

/** A column: its title, and the side to which its cells keep. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Cells are never narrower. @default the title's width */
  readonly minWidth?: number;
}

const GAP = '  ';

/** Lays rows out; widths grow with what was shown, so that pages of a long table line up. */
export class Table {
  private readonly columns: readonly Column[];
  private readonly widths: number[];
  private isHeadShown = false;

  constructor(columns: readonly Column[]) {
    this.columns = columns;
    this.widths = columns.map(({ title, minWidth = 0 }) => Math.max(title.length, minWidth));
  }

  /** Lines of some rows; the first call begins with the titles. */
  lines(rows: readonly (readonly string[])[]): string[] {
    for (const row of rows) {
      row.forEach((cell, n) => {
        this.widths[n] = Math.max(this.widths[n] ?? 0, cell.length);
      });
    }
    const shown = rows.map((row) => this.line(row));
    if (this.isHeadShown) return shown;
    this.isHeadShown = true;
    return [this.line(this.columns.map(({ title }) => title)), ...shown];
  }

  private line(cells: readonly string[]): string {
    return cells
      .map((cell, n) => {
        const width = this.widths[n] ?? 0;
        return this.columns[n]?.align === 'right' ? cell.padStart(width) : cell.padEnd(width);
      })
      .join(GAP)
      .trimEnd();
  }
}

/** Names and values below each other: `state    running`. */
export function pairLines(pairs: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => name.length));
  return pairs.map(([name, value]) => `${name.padEnd(width)}  ${value}`);
}
