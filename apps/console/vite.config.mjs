import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = join(import.meta.dirname, '../..');
const reactDom = dirname(createRequire(import.meta.url).resolve('react-dom/package.json'));

/** Builds the console into files that `pages` serves under /console/. tools/build/console.mjs chooses the folder. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  publicDir: false,
  plugins: [react()],
  resolve: {
    alias: [
      { find: /^@sheaf\/([a-z-]+)$/, replacement: join(root, 'libs/$1/src/index.ts') },
      // The preview writes pages at once, as the first of React's two renderers does. Its entry loads the other one, which streams, as well: 37 kB.
      { find: 'react-dom/server', replacement: join(reactDom, 'cjs/react-dom-server-legacy.browser.production.js') },
    ],
  },
  build: {
    // The browsers of the last four years, as for the pages of forms.
    target: ['chrome105', 'firefox115', 'safari15.4'],
    modulePreload: { polyfill: false },
    // A page's policy forbids data: addresses for anything but pictures.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1_000,
    manifest: true,
    sourcemap: false,
    reportCompressedSize: false,
    emptyOutDir: true,
  },
});
