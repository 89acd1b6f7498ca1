import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Router } from 'express';
import { z } from 'zod';
import { immutable, sendingFile } from './file';

/** The files that pages load, which the build writes beside the bundle, each under a name with a hash of its content. */
export interface Assets {
  /** The address of a file by its name without the hash, such as `form.css`. */
  addressOf: (name: string) => string;
  router: Router;
}

const Manifest = z.record(z.string(), z.string());

/** @param folder has the files and `manifest.json`, which names them: `{"form.css": "form.3fa9c1.css"}` */
export function readAssets(folder: string): Assets {
  const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
  const router = Router({ caseSensitive: true });
  for (const [name, hashed] of Object.entries(manifest)) {
    const bytes = readFileSync(join(folder, hashed));
    router.get(`/assets/${hashed}`, sendingFile(hashed, bytes, immutable));
    // Other sites name this file in their pages, so its address stays the same.
    if (name === 'embed.js')
      router.get(
        '/embed.js',
        sendingFile(name, bytes, { 'Cache-Control': 'public, max-age=300', 'Cross-Origin-Resource-Policy': 'cross-origin' }),
      );
  }
  return {
    router,
    addressOf: (name) => {
      const hashed = manifest[name];
      if (hashed === undefined) throw new Error(`The build wrote no ${name}.`);
      return `/assets/${hashed}`;
    },
  };
}
