/** HTML manuals that nobody of this project wrote, where Debian's packages put them. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A manual on this machine. */
export interface Manual {
  readonly name: string;
  /** Folder to serve. */
  readonly root: string;
  /** Path of the page to start from. */
  readonly start: string;
  /** As in {@link ManualSource}. */
  readonly onlyOurs: Readonly<Record<string, string>>;
}

/** Where a manual comes from, and what kind of HTML it is. */
export interface ManualSource {
  readonly name: string;
  /** Debian package; `*` stands for a version. */
  readonly package: string;
  /** Folder below /usr/share/doc; its first part may hold the package's version as `*`. */
  readonly folder: string;
  readonly start: string;
  readonly kind: string;
  /**
   * Pages by which a crawler that reads as browsers do differs from wget, with the reason. The
   * comparison must show exactly these.
   */
  readonly onlyOurs: Readonly<Record<string, string>>;
}

/** The manuals, in order of size. Figures: Debian 12. */
export const MANUAL_SOURCES: readonly ManualSource[] = [
  {
    name: 'git',
    package: 'git-doc',
    folder: 'git-doc',
    start: '/index.html',
    kind: '242 files by AsciiDoc: long pages, many links by fragment, few folders',
    onlyOurs: {},
  },
  {
    name: 'sqlite',
    package: 'sqlite3-doc',
    folder: 'sqlite3',
    start: '/index.html',
    kind: '767 files, much of it written by hand: unquoted attributes, odd nesting, links up and down, 427 dead links',
    onlyOurs: {
      '/': 'lang_expr.html has href="\\"json1.html…": the address is a backslash, to a browser a slash',
    },
  },
  {
    name: 'postgresql',
    package: 'postgresql-doc-15',
    folder: 'postgresql-doc-*/html',
    start: '/index.html',
    kind: '1,169 files by DocBook: many small XHTML pages, link rel=next and prev',
    onlyOurs: {},
  },
];

const DOC_FOLDER = '/usr/share/doc';

/** Manuals that are installed. Fewer than {@link MANUAL_SOURCES}: {@link missingManuals} says which. */
export function findManuals(docFolder: string = DOC_FOLDER): Manual[] {
  return MANUAL_SOURCES.flatMap(({ name, folder, start, onlyOurs }) => {
    const root = foldersLike(docFolder, folder).find((one) => existsSync(join(one, start)));
    return root === undefined ? [] : [{ name, root, start, onlyOurs }];
  });
}

/** What to tell people whose tests leave manuals out; null when all are there. */
export function missingManuals(docFolder: string = DOC_FOLDER): string | null {
  const found = new Set(findManuals(docFolder).map(({ name }) => name));
  const missing = MANUAL_SOURCES.filter(({ name }) => !found.has(name));
  if (missing.length === 0) return null;
  const packages = missing.map((source) => source.package).join(' ');
  return `manuals not installed; on Debian: apt-get install --no-install-recommends ${packages}`;
}

function foldersLike(docFolder: string, pattern: string): string[] {
  const [first = '', ...rest] = pattern.split('/');
  if (!first.endsWith('*')) return [join(docFolder, pattern)];
  const names = existsSync(docFolder) ? readdirSync(docFolder).sort().reverse() : [];
  return names
    .filter((name) => name.startsWith(first.slice(0, -1)))
    .map((name) => join(docFolder, name, ...rest));
}
