/** The many ways in which pages write one and the same address. */

/** Ways that work within a host. */
export const LOCAL_FORMS = [
  'rooted',
  'absolute',
  'relative',
  'protocolRelative',
  'fragment',
  'tracking',
  'upperHost',
  'defaultPort',
  'dotted',
  'spaced',
] as const;

/** Ways that work towards another host. */
export const REMOTE_FORMS = [
  'absolute',
  'protocolRelative',
  'fragment',
  'tracking',
  'upperHost',
  'defaultPort',
] as const;

export type LinkForm = (typeof LOCAL_FORMS)[number];

/** Query parameters that name a campaign, not a page. The server ignores them; so must a crawler. */
export const TRACKING_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'gclid',
  'fbclid',
] as const;

/**
 * Write the address `target` in the given form.
 *
 * @param baseUrl what relative addresses start from: the page's URL or its `<base>`
 * @param target absolute URL in canonical spelling
 * @param salt varies the parameters, so that two tracking links differ
 */
export function writeHref(form: LinkForm, baseUrl: string, target: string, salt: number): string {
  const { host, path } = splitUrl(target);
  const separator = path.includes('?') ? '&' : '?';
  switch (form) {
    case 'rooted':
      return path;
    case 'absolute':
      return target;
    case 'relative':
      return relativePath(splitUrl(baseUrl).path, path);
    case 'protocolRelative':
      return `//${host}${path}`;
    case 'fragment':
      return `${target}#section-${salt % 7}`;
    case 'tracking':
      return `${target}${separator}${trackingQuery(salt)}`;
    case 'upperHost':
      return `HTTP://${host.toUpperCase()}${path}`;
    case 'defaultPort':
      return `http://${host}:80${path}`;
    case 'dotted':
      return `/archive/./${2000 + (salt % 20)}/../..${path}`;
    case 'spaced':
      return `  ${path}\n`;
  }
}

function trackingQuery(salt: number): string {
  const name = TRACKING_PARAMETERS[salt % TRACKING_PARAMETERS.length] as string;
  return salt % 2 === 0 ? `${name}=feed-${salt % 97}` : `utm_source=mail&${name}=n${salt % 89}`;
}

/** Split an absolute URL in canonical spelling; the path holds the query. */
export function splitUrl(url: string): { host: string; path: string } {
  const rest = url.slice('http://'.length);
  const slash = rest.indexOf('/');
  if (!url.startsWith('http://') || slash < 0) {
    throw new Error(`url: "${url}" is not of the form http://host/path`);
  }
  return { host: rest.slice(0, slash), path: rest.slice(slash) };
}

function relativePath(fromPath: string, toPath: string): string {
  const directories = fromPath.split('?')[0]?.split('/').slice(1, -1) ?? [];
  const target = toPath.slice(1);
  const first = directories[0];
  if (first !== undefined && target.startsWith(`${first}/`)) {
    return '../'.repeat(directories.length - 1) + (target.slice(first.length + 1) || './');
  }
  return '../'.repeat(directories.length) + (target || (directories.length === 0 ? './' : ''));
}
