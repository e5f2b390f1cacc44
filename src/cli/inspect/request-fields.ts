/** Fields of one request, checked: what is missing, wrong or unknown is named with its remedy. */
import { ConfigError } from '../../errors.js';

/** Characters of a value that a message shows. */
const SHOWN_CHARS = 80;
/** Base64 with its padding; nothing else is skipped silently. */
const NOT_BASE64 = /[^A-Za-z0-9+/=]/;

/** One request: an object whose fields are all named in `known`. */
export class RequestFields {
  private readonly values: Readonly<Record<string, unknown>>;

  /**
   * @param known names of all fields that the request may have
   * @throws CONFIG_INVALID_OPTION
   */
  constructor(value: unknown, known: readonly string[]) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      refuse('request', value, `is no JSON object; give one with ${known.join(', ')}`);
    }
    this.values = value as Record<string, unknown>;
    for (const name of Object.keys(value)) {
      if (!known.includes(name)) {
        refuse(name, this.values[name], `is an unknown field; there are ${known.join(', ')}`);
      }
    }
  }

  /** Text, or null where the field is missing or null. @throws CONFIG_INVALID_OPTION */
  text(name: string): string | null {
    const value = Object.hasOwn(this.values, name) ? this.values[name] : null;
    if (value === null || typeof value === 'string') return value;
    return refuse(name, value, 'is no text; give a JSON string');
  }

  /** @throws CONFIG_INVALID_OPTION also where the field is missing */
  required(name: string, example: string): string {
    const value = this.text(name);
    return value ?? refuse(name, undefined, `is missing; give a JSON string such as ${example}`);
  }

  /**
   * A document: bytes as base64, or text, which stands for its bytes in UTF-8. Where both are given
   * the bytes count.
   *
   * @throws CONFIG_INVALID_OPTION
   */
  body(textName: string, base64Name: string): Buffer {
    const encoded = this.text(base64Name);
    const text = this.text(textName);
    if (encoded !== null) return bytesOf(base64Name, encoded);
    if (text !== null) return Buffer.from(text);
    return refuse(
      textName,
      undefined,
      `is missing; give the text in ${textName} or its bytes in ${base64Name}`,
    );
  }
}

function bytesOf(name: string, encoded: string): Buffer {
  const digits = encoded.replace(/={1,2}$/, '');
  if (NOT_BASE64.test(digits) || digits.includes('=') || digits.length % 4 === 1) {
    refuse(
      name,
      encoded,
      'is no base64; encode the bytes with the standard alphabet (RFC 4648 §4)',
    );
  }
  return Buffer.from(digits, 'base64');
}

/** @throws CONFIG_INVALID_OPTION always: field, value, what is wrong and what to do */
export function refuse(field: string, value: unknown, problem: string): never {
  const name = field.length > SHOWN_CHARS ? `${field.slice(0, SHOWN_CHARS)}…` : field;
  throw new ConfigError('CONFIG_INVALID_OPTION', `${name}: ${shown(value)}${problem}`, {
    details: { field: name },
  });
}

/** A value in a message, never long; nothing for a missing one. */
function shown(value: unknown): string {
  if (value === undefined) return '';
  // A long text is cut before it is quoted, for quoting costs as much again.
  const short = typeof value === 'string' ? value.slice(0, SHOWN_CHARS + 1) : value;
  const text = typeof short === 'object' && short !== null ? kindOf(short) : JSON.stringify(short);
  return `${text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text} `;
}

function kindOf(value: object): string {
  return Array.isArray(value) ? 'an array' : 'an object';
}
