/** Attributes of a tag, of HTML or XML. */

/** Values by name, entities undone; only those asked for, and of two with one name the first. */
export type Attributes = ReadonlyMap<string, string>;

/** Longest attribute value that is kept, in characters; a longer one counts as absent, never cut. */
export const MAX_ATTRIBUTE_CHARS = 262_144;
