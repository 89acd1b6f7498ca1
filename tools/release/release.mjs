// The steps of a release, beside the images (deploy/images.mjs): docs/releasing.md.
import { loadSource, root } from '../build/load-source.mjs';

const { release } = await loadSource(`export { release } from './tools/release/src/main';`);
try {
  const { text, code } = await release(root, process.argv.slice(2), new Date());
  (code === 0 ? console.log : console.error)(text);
  process.exitCode = code;
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
