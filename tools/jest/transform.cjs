// Transforms sources with swc. Jest keeps the result under a key that contains all settings of a run, so that each project transformed the
// libraries again: in a fresh clone a second of processor time in each of the runs of jest that `npm test` starts. The result depends on none of these settings but the
// options of swc, so this key has the source, its place and these alone. The place is in it because stack traces name it.
const { join } = require('node:path');
const swc = require('@swc/jest');

const root = join(__dirname, '../..');

module.exports = {
  createTransformer(options) {
    const transformer = swc.createTransformer(options);
    return {
      ...transformer,
      getCacheKey: (source, file, settings) =>
        transformer.getCacheKey(source, file, { ...settings, configString: '', config: { ...settings.config, rootDir: root } }),
    };
  },
};
