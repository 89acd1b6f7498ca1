import { parseInput, type Operation } from '@sheaf/contracts';
import { Problem } from '@sheaf/kernel';
import type { z } from 'zod';
import { demandAccess } from '../callers/access';
import { parseBody } from '../http/input';
import { print } from '../http/json';
import { Streamed } from '../http/streamed';
import type { HandlerContext, Route } from '../route';

/** The parts of a request. Parameters of the query are as in an address: texts, lists of them, and for `filter` an object of these. */
interface Given {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

type Reply<O extends Operation> = O extends { reply: infer R extends z.ZodType } ? z.output<R> : undefined;

/** Asks for an operation as the caller of a request, who must be allowed to. @returns what clients of the API get */
export type Ask = <O extends Operation>(operation: O, given: Given) => Promise<Reply<O>>;

/** The most that a page of large submissions may have; the caller then has to ask for fewer. */
const maxBytes = 4 * 1_024 * 1_024;

/** The operations for a request to `/mcp`: the rows that answer the same requests over HTTP, without HTTP between. */
export function asking(rows: readonly Route[], context: HandlerContext<unknown, unknown>): Ask {
  return async <O extends Operation>(operation: O, { params = {}, query = {}, body = {} }: Given) => {
    const row = rows.find(({ method, path }) => method === operation.method && path === operation.path);
    if (row === undefined || row.access === 'anyone') throw new Error(`no row for callers answers ${operation.method} ${operation.path}`);
    demandAccess(row, context.caller);
    const answer = await row.handle({
      ...context,
      params,
      query: row.query && parseInput(row.query, asTexts(query)),
      body: row.body && parseBody(row, body),
    });
    const text = answer instanceof Streamed ? await whole(answer, context) : print(answer);
    return JSON.parse(text) as Reply<O>;
  };
}

const asTexts = (query: object): object =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]: [string, unknown]) =>
      value === undefined ? [] : [[name, typeof value === 'number' ? String(value) : value]],
    ),
  );

async function whole({ chunks }: Streamed, { streamCall }: HandlerContext<unknown, unknown>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of typeof chunks === 'function' ? chunks(streamCall) : chunks) {
    bytes += part.length;
    if (bytes > maxBytes)
      throw Problem.badRequest('limit: the submissions are too large for one answer; ask for fewer, or for one of them');
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}
