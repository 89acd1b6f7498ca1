import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Router, type Request, type Response } from 'express';
import { z } from 'zod';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

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
    router.get(`/assets/${hashed}`, file(hashed, bytes, { 'Cache-Control': 'public, max-age=31536000, immutable' }));
    // Other sites name this file in their pages, so its address stays the same.
    if (name === 'embed.js')
      router.get(
        '/embed.js',
        file(name, bytes, { 'Cache-Control': 'public, max-age=300', 'Cross-Origin-Resource-Policy': 'cross-origin' }),
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

/** A handler that sends the file, compressed if the client accepts that, or 304 if the client has it. */
function file(name: string, bytes: Buffer, headers: Record<string, string>): (request: Request, response: Response) => void {
  // Weak, because it also identifies the compressed representation.
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url')}"`;
  const gzipped = gzipSync(bytes, { level: 9 });
  const type = types[extname(name)] ?? 'application/octet-stream';
  return (request, response) => {
    for (const [header, value] of Object.entries(headers)) response.setHeader(header, value);
    response.setHeader('ETag', etag);
    if (request.headers['if-none-match'] === etag) {
      response.statusCode = 304;
      response.end();
      return;
    }
    response.setHeader('Content-Type', type);
    response.vary('Accept-Encoding');
    const isCompressed = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (isCompressed) response.setHeader('Content-Encoding', 'gzip');
    const sent = isCompressed ? gzipped : bytes;
    response.setHeader('Content-Length', sent.length);
    response.end(sent);
  };
}
