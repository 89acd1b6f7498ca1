import type { Assets } from './assets';

/** What a visitor sees who leaves out the address of a form. */
export const frontPage = (assets: Assets): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sheaf</title>
<link rel="stylesheet" href="${assets.addressOf('form.css')}">
</head>
<body>
<main>
<h1>Sheaf</h1>
<p>Sheaf collects what people send with forms. To fill in a form, follow the link that its author gave you.</p>
<p><a href="/docs">Documentation of the API</a></p>
</main>
</body>
</html>
`;
