import { shellWord } from '@sheaf/contracts';

interface Request {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/**
 * A command that repeats a request in a POSIX shell. The shell and curl take all texts as they are: quotes, `$`, and a body that
 * begins with `@`, which `--data` would take for a file.
 */
export const curlOf = ({ url, headers, body }: Request): string =>
  [
    `curl --globoff --request POST ${shellWord(url)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${shellWord(`${name}: ${value}`)}`),
    `--data-raw ${shellWord(body)}`,
  ].join(' \\\n  ');
