import { gzip } from 'node:zlib';
import type { Response } from 'express';

/** Most of what is left to save at a fraction of the highest level's time. */
const level = 4;
/** A smaller response fits into one packet anyway. */
const minCompressedLength = 1_200;

/**
 * Sends a page. It may be compressed although it shows what the respondent typed: it depends on no cookie that a browser sends when
 * another site makes it repeat the request, which would get a page without that respondent's secrets (BREACH).
 */
export function sendHtml(response: Response, status: number, html: string | Buffer): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.vary('Accept-Encoding');
  const isCompressed = html.length >= minCompressedLength && response.req.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (!isCompressed) return end(response, html);
  gzip(html, { level }, (failed, compressed) => {
    if (failed) return end(response, html);
    response.setHeader('Content-Encoding', 'gzip');
    end(response, compressed);
  });
}

function end(response: Response, body: string | Buffer): void {
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
