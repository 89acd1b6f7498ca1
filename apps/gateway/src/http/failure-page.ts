import type { Request, Response } from 'express';

/** Whether a browser asks for a page of a form. A person is to read the answer then, also if `pages` cannot give it. */
export const asksForPage = ({ originalUrl, headers }: Request): boolean =>
  originalUrl.startsWith('/f/') && headers.accept?.includes('text/html') === true;

/** A page without style or script, because whatever else it loaded might fail as well. Frames may show it: it has nothing to press. */
export function replyFailurePage(response: Response, status: number, message: string): void {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>This page is not available at the moment</title>
</head>
<body>
<main>
<h1>This page is not available at the moment</h1>
<p>${status < 500 ? escaped(message) : 'Something is not working on our side.'}</p>
<p>Go back in your browser, and try again in a few minutes. What you typed is usually still there.</p>
</main>
</body>
</html>
`;
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Security-Policy', "default-src 'none'; base-uri 'none'; form-action 'none'");
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.vary('Accept');
  response.end(html);
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
