/** Where forms that are sent by GET lead to. */

/**
 * Actions, without fields: sending a form replaces the query of its action by the fields, so what is
 * left is the action without a query. `post` and `dialog` are no links, nor is a form without an action,
 * which leads to its own page.
 *
 * @see https://html.spec.whatwg.org/#form-submission-algorithm
 */
export class FormLinks {
  /** Method of the form last seen; a button before any form sends nothing. */
  private method: string | null = null;

  /** @returns the target that an element adds, as written */
  read(name: string, get: (attribute: string) => string | undefined): string | undefined {
    if (name === 'form') {
      this.method = methodOf(get('method'));
      return this.method === 'get' ? target(get('action')) : undefined;
    }
    if (this.method === null || !isSubmitButton(name, get('type'))) return undefined;
    const own = get('formmethod');
    const method = own === undefined ? this.method : methodOf(own);
    return method === 'get' ? target(get('formaction')) : undefined;
  }
}

/** Missing and unknown values mean GET. */
function methodOf(value: string | undefined): string {
  const method = value?.toLowerCase() ?? '';
  return method === 'post' || method === 'dialog' ? method : 'get';
}

function isSubmitButton(name: string, type: string | undefined): boolean {
  const kind = type?.toLowerCase() ?? '';
  if (name === 'button') return kind !== 'button' && kind !== 'reset';
  return name === 'input' && (kind === 'submit' || kind === 'image');
}

function target(action: string | undefined): string | undefined {
  const path = action?.split(/[?#]/, 1)[0] ?? '';
  return /[^\t\n\f\r ]/.test(path) ? path : undefined;
}
