import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** For a file whose name has a hash of its content. */
export const immutable = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** A handler that sends the file, compressed if the client accepts that, or 304 if the client has it. */
export function sendingFile(name: string, bytes: Buffer, headers: Record<string, string>): (request: Request, response: Response) => void {
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
