import { type ApiDocument, exampleOf, type Listed, operationsOf, resolved, type Schema } from './document';
import { samplesOf } from './samples';
import { rowsOf, typeOf } from './shapes';

/** A page of the reference: the operations under one tag. `path` is relative to the site. */
export interface ReferencePage {
  path: string;
  title: string;
  description: string;
  text: string;
}

/** A page for each tag that has operations, in the document's order. */
export function referencePages(document: ApiDocument): ReferencePage[] {
  const operations = operationsOf(document);
  return document.tags.flatMap(({ name, description = '' }) => {
    const listed = operations.filter(({ operation }) => operation.tags[0] === name);
    if (listed.length === 0) return [];
    const parts = [`# ${name}`, prose(description), ...listed.map((one) => sectionOf(document, one))];
    return [{ path: `reference/${slugOf(name)}.md`, title: name, description, text: `${parts.join('\n\n')}\n` }];
  });
}

const slugOf = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

function sectionOf(document: ApiDocument, listed: Listed): string {
  const { method, path, operation } = listed;
  const { parameters = [], requestBody, responses } = operation;
  return [
    `## ${operation.summary} {#${operation.operationId}}`,
    `<code v-pre>${method.toUpperCase()} ${path}</code>`,
    prose(operation.description ?? ''),
    ...(parameters.length === 0
      ? []
      : [
          '**Parameters**',
          tableOf(
            ['Name', 'In', 'Type', 'Meaning'],
            parameters.map((one) => [
              nameCell(one.name, one.required === true),
              one.in,
              cell(typeOf(document, one.schema)),
              cell(one.description ?? ''),
            ]),
          ),
        ]),
    ...bodyOf(document, 'Body', requestBody?.content['application/json']?.schema),
    '**Request**',
    '::: code-group',
    ...samplesOf(listed).map(({ title, language, code }) => fence(`${language} [${title}]`, code)),
    ':::',
    '**Answers**',
    tableOf(
      ['Status', 'Meaning'],
      Object.entries(responses).map(([status, response]) => [status, cell(resolved(document, response).description)]),
    ),
    ...Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .flatMap(([, response]) => answerOf(document, resolved(document, response).content?.['application/json'])),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function answerOf(document: ApiDocument, content: { schema: Schema; example?: unknown } | undefined): string[] {
  if (!content) return [];
  const example = exampleOf(content);
  const rows = bodyOf(document, 'Answer', content.schema);
  return [
    ...(example === undefined ? [] : [fence('json', JSON.stringify(example, null, 2))]),
    ...(rows.length === 0 ? [] : ['::: details Properties of the answer', ...rows.slice(1), ':::']),
  ];
}

function bodyOf(document: ApiDocument, title: string, schema: Schema | undefined): string[] {
  const rows = schema ? rowsOf(document, schema) : [];
  if (rows.length === 0) return [];
  const cells = rows.map((row) => [nameCell(row.name, row.required), cell(row.type), cell(row.description)]);
  return [`**${title}**`, tableOf(['Property', 'Type', 'Meaning'], cells)];
}

const nameCell = (name: string, isRequired: boolean): string => `\`${name}\`${isRequired ? ' (required)' : ''}`;

const tableOf = (heads: string[], rows: string[][]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const fence = (info: string, code: string): string => `\`\`\`${info}\n${code}\n\`\`\``;

const cell = (text: string): string => prose(text).replaceAll('|', '\\|').replaceAll(/\n+/g, ' ');

/** Text of the document as Markdown for a page of Vue: outside code spans, no mark starts a tag or an expression. */
export const prose = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;')))
    .join('');
