import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Router, type Request, type Response } from 'express';
import type { Route } from '../route';
import { openApiDocument } from './document';

const documentPath = '/api/v1/openapi.json';

/** The assets of the page. tools/build/build.mjs copies them next to the bundle. */
const assets = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sheaf API</title>
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<noscript>This page needs JavaScript. You can also read the OpenAPI document: <a href="${documentPath}">${documentPath}</a></noscript>
<main id="documentation"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

// A separate file, because the page's policy forbids inline scripts. The validator is off, because it is a third-party service.
const start = `SwaggerUIBundle({ url: '${documentPath}', domNode: document.getElementById('documentation'), deepLinking: true, validatorUrl: null });
`;

/** Allows only our own origin, and data URLs for the images in style sheets. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves the API documentation: for programs at /api/v1/openapi.json, for people at /docs. Both are public.
 * @param folder the folder of the assets
 */
export function documentation(rows: readonly Route[], folder: string): Router {
  const pages = Router({ caseSensitive: true });
  pages.get(documentPath, page('application/json; charset=utf-8', JSON.stringify(openApiDocument(rows))));
  pages.get('/docs', page('text/html; charset=utf-8', html, { 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' }));
  pages.get('/docs/start.js', page('text/javascript; charset=utf-8', start));
  for (const [name, type] of Object.entries(assets)) {
    pages.get(`/docs/${name}`, page(type, readFileSync(join(folder, name)), { 'Cache-Control': 'public, max-age=3600' }));
  }
  return pages;
}

/** A handler with a constant response, or 304 if the client already has it. */
function page(
  type: string,
  content: string | Buffer,
  headers: Record<string, string> = {},
): (request: Request, response: Response) => void {
  const bytes = Buffer.from(content);
  // Weak, because it also identifies the compressed representation.
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url')}"`;
  let gzipped: Buffer | undefined;
  return (request, response) => {
    response.setHeader('ETag', etag);
    // Browsers revalidate their copy on every use, so that a new version shows immediately.
    response.setHeader('Cache-Control', 'no-cache');
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (request.headers['if-none-match'] === etag) {
      response.statusCode = 304;
      response.end();
      return;
    }
    response.setHeader('Content-Type', type);
    response.vary('Accept-Encoding');
    const compressed = request.acceptsEncodings('gzip', 'identity') === 'gzip';
    if (compressed) response.setHeader('Content-Encoding', 'gzip');
    const sent = compressed ? (gzipped ??= gzipSync(bytes)) : bytes;
    response.setHeader('Content-Length', sent.length);
    response.end(sent);
  };
}
