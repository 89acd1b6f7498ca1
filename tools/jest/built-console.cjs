// Set-up of the tests of screens: the console as `pages` serves it, built unless it is there already.
const { join } = require('node:path');

module.exports = async () => {
  const { buildConsole } = await import('../build/console.mjs');
  await buildConsole(join(__dirname, '../../dist/apps/pages/console'));
};
