declare const SHEAF_VERSION: string | undefined;

/** Of the app as it was built, and of what it runs in. */
export const ownVersions = (app: string) => ({
  app,
  version: typeof SHEAF_VERSION === 'string' ? SHEAF_VERSION : 'not built',
  node: process.versions.node,
});
