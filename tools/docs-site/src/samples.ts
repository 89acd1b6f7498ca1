import { shellWord } from '@sheaf/contracts';
import { exampleOf, type Listed, type Parameter } from './document';

/** A request in one language of programming. */
export interface Sample {
  title: 'curl' | 'JavaScript' | 'Python';
  language: 'sh' | 'ts' | 'python';
  code: string;
}

/** The operations that `@sheaf/client` leaves out: see tools/build/generate-client.mjs. */
const notInClient = new Set(['receiveStripeEvent', 'receiveEvents']);

const address = 'http://localhost:8080';

/** The same request for curl, `@sheaf/client` and Python's requests, with the values of the document's examples. */
export function samplesOf(listed: Listed): Sample[] {
  const request = requestOf(listed);
  return [
    { title: 'curl', language: 'sh', code: curl(request) },
    ...(notInClient.has(listed.operation.operationId)
      ? []
      : [{ title: 'JavaScript' as const, language: 'ts' as const, code: javascript(request) }]),
    { title: 'Python', language: 'python', code: python(request) },
  ];
}

interface Request {
  name: string;
  method: string;
  path: string;
  pathValues: Record<string, string>;
  query: Record<string, string>;
  isSigned: boolean;
  json: unknown;
  isFile: boolean;
  answersWithJson: boolean;
}

function requestOf({ method, path, operation }: Listed): Request {
  const { parameters = [], requestBody, responses, security = [] } = operation;
  const needed = (where: Parameter['in']): Record<string, string> =>
    Object.fromEntries(parameters.filter((one) => one.in === where && one.required).map((one) => [one.name, valueOf(one)]));
  const pathValues = needed('path');
  const content = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  return {
    name: operation.operationId,
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathValues[name] ?? name)),
    pathValues,
    query: needed('query'),
    isSigned: security.length > 0,
    json: exampleOf(requestBody?.content['application/json']),
    isFile: requestBody !== undefined && 'multipart/form-data' in requestBody.content,
    answersWithJson: content !== undefined && 'content' in content && content.content?.['application/json'] !== undefined,
  };
}

function valueOf({ name, schema, example }: Parameter): string {
  const value = example ?? schema.enum?.[0] ?? schema.const ?? (schema.type === 'boolean' ? true : name);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function curl({ method, path, query, isSigned, json, isFile }: Request): string {
  const search = new URLSearchParams(query).toString();
  return [
    `curl${method === 'GET' ? '' : ` --request ${method}`} ${shellWord(`${address}${path}${search && `?${search}`}`)}`,
    ...(isSigned ? ['--header "Authorization: Bearer $SHEAF_KEY"'] : []),
    ...(json === undefined ? [] : ["--header 'Content-Type: application/json'", `--data ${shellWord(JSON.stringify(json, null, 2))}`]),
    ...(isFile ? ['--form file=@photo.jpg'] : []),
  ].join(' \\\n  ');
}

function javascript({ name, pathValues, query, isSigned, json, isFile, answersWithJson }: Request): string {
  const parts = [
    'client',
    ...(Object.keys(pathValues).length > 0 ? [`path: ${literal(pathValues)}`] : []),
    ...(Object.keys(query).length > 0 ? [`query: ${literal(query)}`] : []),
    ...(json === undefined ? [] : [`body: ${literal(json)}`]),
    ...(isFile ? ["body: { file: await openAsBlob('photo.jpg') }"] : []),
  ];
  const options = parts.length === 1 ? '{ client }' : `{\n${parts.map((part) => `  ${part.replaceAll('\n', '\n  ')},\n`).join('')}}`;
  return [
    ...(isFile ? ["import { openAsBlob } from 'node:fs';"] : []),
    `import { createClient, ${name} } from '@sheaf/client';`,
    '',
    `const client = createClient({ url: '${address}'${isSigned ? ', key: process.env.SHEAF_KEY' : ''} });`,
    `${answersWithJson ? 'const answer = ' : ''}await ${name}(${options});`,
    ...(answersWithJson ? ['console.log(answer);'] : []),
  ].join('\n');
}

function python({ method, path, query, isSigned, json, isFile, answersWithJson }: Request): string {
  return [
    ...(isSigned ? ['import os', ''] : []),
    'import requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    `    "${address}${path}",`,
    ...(isSigned ? ['    headers={"Authorization": f"Bearer {os.environ[\'SHEAF_KEY\']}"},'] : []),
    ...(Object.keys(query).length > 0 ? [`    params=${indented(pythonLiteral(query))},`] : []),
    ...(json === undefined ? [] : [`    json=${indented(pythonLiteral(json))},`]),
    ...(isFile ? ['    files={"file": open("photo.jpg", "rb")},'] : []),
    '    timeout=30,',
    ')',
    'answer.raise_for_status()',
    ...(answersWithJson ? ['print(answer.json())'] : []),
  ].join('\n');
}

const indented = (text: string): string => text.replaceAll('\n', '\n    ');

/** A value as TypeScript writes it: names without quotes where they need none. */
const literal = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll(/^( *)"([a-z_$][\w$]*)":/gim, '$1$2:');

/** A value as Python writes it. Strings of JSON are strings of Python. */
function pythonLiteral(value: unknown, indent = ''): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value !== 'object') return JSON.stringify(value);
  const inner = `${indent}    `;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const entries = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pythonLiteral(item, inner)}`);
  return entries.length === 0 ? `${open}${close}` : `${open}\n${entries.map((entry) => `${inner}${entry},\n`).join('')}${indent}${close}`;
}
