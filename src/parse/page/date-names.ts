/** Names of months and weekdays in the languages of most of the web, as the ICU of Node knows them. */

// prettier-ignore
const LANGUAGES = [
  'en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'nb', 'fi', 'pl', 'cs', 'sk', 'hu', 'ro',
  'bg', 'ru', 'uk', 'el', 'tr', 'ar', 'he', 'fa', 'hi', 'id', 'vi', 'th', 'ja', 'zh', 'ko',
];
const FORMS: readonly Intl.DateTimeFormatOptions[] = [
  { month: 'long' },
  { month: 'short' },
  // With a day some languages inflect the month: "12 мая".
  { month: 'long', day: 'numeric' },
  { month: 'short', day: 'numeric' },
  { weekday: 'long' },
  { weekday: 'short' },
];

let names: ReadonlySet<string> | undefined;

/** @param word lower-case */
export function isDateName(word: string): boolean {
  names ??= collectNames();
  return names.has(word);
}

function collectNames(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const language of LANGUAGES) {
    for (const form of FORMS) {
      const format = new Intl.DateTimeFormat(language, { ...form, timeZone: 'UTC' });
      for (let n = 0; n < 12; n += 1) {
        const date = form.weekday ? Date.UTC(2024, 0, n + 1) : Date.UTC(2024, n, 1);
        for (const part of format.formatToParts(date)) {
          if (part.type !== 'month' && part.type !== 'weekday') continue;
          for (const [word] of part.value.toLowerCase().matchAll(/[\p{L}\p{M}]+/gu))
            found.add(word);
        }
      }
    }
  }
  return found;
}
