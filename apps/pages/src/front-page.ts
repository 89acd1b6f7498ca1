import type { Assets } from './assets';

/** The page for a visitor who leaves out the address of a form. */
export const frontPage = (assets: Assets): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sheaf</title>
<link rel="icon" type="image/svg+xml" href="${assets.addressOf('icon.svg')}">
<link rel="stylesheet" href="${assets.addressOf('form.css')}">
</head>
<body>
<main>
<img src="${assets.addressOf('icon.svg')}" width="48" height="48" alt="">
<h1>Sheaf</h1>
<p>Sheaf collects the answers to forms. To fill in a form, open the link that you were given.</p>
<p>To make forms and to read the answers, open the <a href="/console">console</a>. Programs use the <a href="/docs">API</a>.</p>
</main>
</body>
</html>
`;
