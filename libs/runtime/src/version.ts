declare const SHEAF_VERSION: string | undefined;

export interface Versions {
  app: string;
  version: string;
  node: string;
}

/** The versions of the built app and of its runtime. */
export const ownVersions = (app: string) => ({
  app,
  version: typeof SHEAF_VERSION === 'string' ? SHEAF_VERSION : 'not built',
  node: process.versions.node,
});
