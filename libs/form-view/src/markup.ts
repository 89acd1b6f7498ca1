/** Reads markup in tests. React writes all tags in one way, so that a parser is not needed. */

type Attributes = Readonly<Record<string, string>>;

const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'", '&amp;': '&' };

/** The text as people see it. */
export const decoded = (text: string): string => text.replaceAll(/&(?:lt|gt|quot|amp|#x27);/g, (entity) => entities[entity] ?? entity);

/** The attributes of all tags with the name, in order. */
export const tagsOf = (html: string, name: string): Attributes[] =>
  [...html.matchAll(new RegExp(`<${name}((?: [\\w:-]+="[^"]*")*)/?>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/ ([\w:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key.toLowerCase(), decoded(value)]),
    ),
  );

/** As a part of a pattern: the ids of questions in an item have brackets. */
const literally = (text: string): string => text.replaceAll(/[[\].]/g, '\\$&');

/** The attributes of the tag with the id. */
export const tagWithId = (html: string, id: string): Attributes => {
  const [tag] = [...html.matchAll(new RegExp(`<[a-z]+(?: [\\w:-]+="[^"]*")* id="${literally(id)}"[^>]*>`, 'g'))].map(([all]) => all);
  const [attributes] = tag === undefined ? [] : tagsOf(tag, '[a-z]+');
  if (!attributes) throw new Error(`There is no tag with the id ${id}.`);
  return attributes;
};

/** The text of the first element with the id, without tags. */
export function textWithId(html: string, id: string): string {
  const [, name = '', rest = ''] = new RegExp(`<([a-z0-9]+)[^>]* id="${id}"[^>]*>(.*)`, 's').exec(html) ?? [];
  return decoded(rest.slice(0, rest.indexOf(`</${name}>`)).replaceAll(/<[^<>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** The labels and legends. */
export const labelsOf = (html: string): string[] =>
  [...html.matchAll(/<(label|legend)[^>]*>(.*?)<\/\1>/g)].map(([, , text = '']) =>
    decoded(text.replaceAll(/<!--[^<>]*-->|<[^<>]*>/g, '')).trim(),
  );
