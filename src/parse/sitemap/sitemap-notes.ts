/** What was wrong with a sitemap, said once a kind: a file of 50,000 faults is not 50,000 lines. */

/** Characters of an example that are shown. */
const EXAMPLE_CHARS = 200;

/** Collects faults. */
export interface SitemapNotes {
  /** @param example the first one is shown, with how many there were */
  add(message: string, example?: string): void;
  list(): string[];
}

export function createSitemapNotes(): SitemapNotes {
  const notes = new Map<string, { count: number; example: string }>();
  return {
    add(message, example = '') {
      const known = notes.get(message);
      if (known) known.count += 1;
      else notes.set(message, { count: 1, example: example.trim().slice(0, EXAMPLE_CHARS) });
    },
    list: () =>
      [...notes].map(([message, { count, example }]) => {
        const times = count > 1 ? `${count} times` : '';
        const first = example && (count > 1 ? `first ${example}` : example);
        const detail = [times, first].filter((part) => part !== '').join(', ');
        return detail === '' ? message : `${message} (${detail})`;
      }),
  };
}
