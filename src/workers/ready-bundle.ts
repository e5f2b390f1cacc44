/** A bundle of the workflows that was made elsewhere; kept apart so that naming it loads nothing. */
let codePath: string | undefined;

/** Load this bundle, made from the same sources, instead of bundling in this process. */
export function useReadyBundle(path: string): void {
  codePath = path;
}

export function readyBundle(): string | undefined {
  return codePath;
}
