import { createHash } from 'node:crypto';
import { Router, type Request, type Response } from 'express';
import { openApiDocument } from './openapi/document';
import type { Route } from './route';

/** The description of this interface, for programs; it needs no credential. */
export function documentation(rows: readonly Route[]): Router {
  const pages = Router({ caseSensitive: true });
  pages.get('/api/v1/openapi.json', page('application/json; charset=utf-8', JSON.stringify(openApiDocument(rows))));
  return pages;
}

/** Answers always the same; who has it already is told so. */
function page(type: string, content: string | Buffer): (request: Request, response: Response) => void {
  const bytes = Buffer.from(content);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
  return (request, response) => {
    response.setHeader('ETag', etag);
    // Kept, but asked for each time: a new version shows at once.
    response.setHeader('Cache-Control', 'no-cache');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    if (request.headers['if-none-match'] === etag) {
      response.statusCode = 304;
      response.end();
      return;
    }
    response.setHeader('Content-Type', type);
    response.setHeader('Content-Length', bytes.length);
    response.end(bytes);
  };
}
