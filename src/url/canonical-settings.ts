/** The switches of the canonical form, and how people change them. */

import type { CanonicalSettings } from '../contracts/settings.js';

/** Name of a rule that can be switched. */
export type CanonicalRule = Exclude<keyof CanonicalSettings, 'dropParameters'>;

/** A change of a default: the rule switched on or, with `no-`, off. */
export type CanonicalChange = CanonicalRule | `no-${CanonicalRule}`;

/** On is what practically never merges two pages; off what loses pages of some sites. */
export const DEFAULT_CANONICAL: CanonicalSettings = {
  escapes: true,
  forbiddenCharacters: true,
  trailingDot: true,
  trailingSlash: true,
  emptyQuery: true,
  trackingParameters: true,
  sessionIds: false,
  indexPages: false,
  parameterOrder: false,
  www: false,
  dropParameters: [],
};

/** All rules, in the order of the documentation. */
export const CANONICAL_RULES = Object.keys(DEFAULT_CANONICAL).filter(
  (name) => name !== 'dropParameters',
) as readonly CanonicalRule[];

/** What may be said of the rules. */
export const CANONICAL_CHANGES: readonly CanonicalChange[] = CANONICAL_RULES.flatMap(
  (rule): CanonicalChange[] => [rule, `no-${rule}`],
);

const ids = new WeakMap<CanonicalSettings, string>();

/** The same text for the same rules, whichever object holds them: a key for what depends on them. */
export function canonicalRulesId(rules: CanonicalSettings): string {
  let id = ids.get(rules);
  if (id === undefined) {
    const switches = CANONICAL_RULES.map((name) => (rules[name] ? '1' : '0')).join('');
    id = switches + JSON.stringify([...rules.dropParameters].sort());
    ids.set(rules, id);
  }
  return id;
}

/** The defaults with the changes applied; of two about one rule the last counts. */
export function canonicalSettings(
  changes: readonly CanonicalChange[],
  dropParameters: readonly string[] = [],
): CanonicalSettings {
  const switched = changes.map((change) =>
    change.startsWith('no-') ? [change.slice(3), false] : [change, true],
  );
  return {
    ...DEFAULT_CANONICAL,
    ...(Object.fromEntries(switched) as Partial<CanonicalSettings>),
    dropParameters: dropParameters.map((name) => name.toLowerCase()),
  };
}
