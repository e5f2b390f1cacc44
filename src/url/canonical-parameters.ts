/** Rules of the canonical form about the parameters of the query: which are dropped, which order. */

import { normalizeEscapes } from './canonical-escapes.js';

/** Names of parameters that track visits and never choose content, lower-case; `*` ends a prefix. */
// prettier-ignore
export const TRACKING_PARAMETERS: readonly string[] = [
  // Campaigns: Google Analytics, Matomo and Piwik, HubSpot ads
  'utm_*', 'mtm_*', 'matomo_campaign', 'matomo_kwd', 'matomo_keyword', 'pk_campaign', 'pk_kwd',
  'pk_keyword', 'pk_source', 'pk_medium', 'pk_content', 'pk_cid', 'piwik_campaign', 'piwik_kwd',
  'piwik_keyword', 'hsa_*',
  // Click ids: Google, Meta, Microsoft, Yandex, X, TikTok, LinkedIn, Pinterest, Instagram, Reddit,
  // Snapchat, Adobe, Impact, Wicked Reports, Blueshift
  'gclid', 'gclsrc', 'dclid', 'gbraid', 'wbraid', 'gad_source', 'gad_campaignid', 'srsltid',
  'fbclid', 'msclkid', 'yclid', 'ysclid', 'twclid', 'ttclid', 'li_fat_id', 'epik', 'igshid', 'igsh',
  'rdt_cid', 'sccid', 'ef_id', 's_kwcid', 'irclickid', 'wickedid', 'rb_clickid', 'bsft_clkid',
  'bsft_eid',
  // Cross-domain hand-over of Google Analytics and Yahoo's consent page
  '_ga', '_gl', 'guccounter', 'guce_referrer', 'guce_referrer_sig',
  // Mailings: Mailchimp, HubSpot, Marketo, Vero, Omeda, MailerLite, beehiiv, dotdigital
  'mc_cid', 'mc_eid', '_hsenc', '_hsmi', '__hstc', '__hssc', '__hsfp', 'hsctatracking', 'mkt_tok',
  'vero_id', 'vero_conv', 'oly_anon_id', 'oly_enc_id', 'ml_subscriber', 'ml_subscriber_hash',
  '_bhlid', 'dm_i',
  // Openstat
  '_openstat',
];

/** Says of a lower-case parameter name whether a list holds it. */
export type NameTest = (name: string) => boolean;

/** Compile a list of lower-case names, in which `*` ends a prefix. */
export function nameTest(list: readonly string[]): NameTest {
  const names = new Set(list.filter((name) => !name.endsWith('*')));
  const prefixes = list.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

/** Is this the name, lower-case, of a tracking parameter? */
export const isTrackingParameter = nameTest(TRACKING_PARAMETERS);

/**
 * Drop parameters; all others keep place, order and spelling.
 *
 * @param query without `?`; null is no query
 * @param isDropped gets the name lower-case and the value, escapes of unreserved characters decoded
 * @returns null also where a query has lost its last parameter
 */
export function dropParameters(
  query: string | null,
  isDropped: (name: string, value: string) => boolean,
): string | null {
  if (query === null || query === '') return query;
  const pairs = query.split('&');
  const kept = pairs.filter((pair) => {
    const { name, value } = splitPair(pair);
    return !isDropped(name, value);
  });
  if (kept.length === pairs.length) return query;
  return kept.length === 0 ? null : kept.join('&');
}

/** Name and value of `name=value`; names are compared whatever their case and spelling. */
export function splitPair(pair: string): { name: string; value: string } {
  const at = pair.indexOf('=');
  const name = at < 0 ? pair : pair.slice(0, at);
  const value = at < 0 ? '' : pair.slice(at + 1);
  return { name: normalizeEscapes(name).toLowerCase(), value: normalizeEscapes(value) };
}

/** `?b=1&a=2&b=0` is `?a=2&b=1&b=0`: sorted by name, those of one name in their own order. */
export function sortParameters(query: string): string {
  const named = query.split('&').map((pair) => ({ pair, name: pair.split('=', 1)[0] ?? '' }));
  // Code units, not a language's order: the same on every machine. The sort is stable (ES2019).
  named.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return named.map(({ pair }) => pair).join('&');
}
