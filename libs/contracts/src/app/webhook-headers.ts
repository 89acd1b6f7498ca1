import { z } from 'zod';
import { described } from '../described';

export const maxWebhookHeaders = 20;
const maxValue = 4_096;
/** Common servers refuse requests whose headers have more than 8 KB together, and Sheaf's own need some of it. */
const maxTogether = 6_144;

/** Sheaf sets these, they belong to the connection and not to the request, or they would make a receiver read the body in another way. */
const ownNames: readonly string[] = [
  'connection',
  'date',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'te',
  'traceparent',
  'tracestate',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
];
const ownPrefixes: readonly string[] = ['content-', 'proxy-', 'sheaf-', 'webhook-', 'x-webhook-'];

const isOwn = (name: string): boolean => {
  const lower = name.toLowerCase();
  return ownNames.includes(lower) || ownPrefixes.some((prefix) => lower.startsWith(prefix));
};

/** A token (RFC 9110, section 5.1) that begins as the names of headers do. */
const isName = (name: string): boolean => /^[A-Za-z][\w!#$%&'*+.^`|~-]{0,63}$/.test(name);

/** Why a header cannot be sent; it names the header, and never says anything of its value. */
export function headerFault({ name, value }: { name: string; value?: string | undefined }): string | undefined {
  if (!isName(name)) return 'the name must have between 1 and 64 characters: a letter first, then letters, digits and hyphens';
  if (isOwn(name)) return `${name}: Sheaf or the connection sets this header, so it cannot be chosen`;
  if (value === undefined) return undefined;
  if (value.length === 0 || value.length > maxValue) return `${name}: the value must have between 1 and ${maxValue} characters`;
  if (/[\r\n]/.test(value)) return `${name}: the value must not have line breaks`;
  if (!/^[\x20-\x7e]+$/.test(value)) return `${name}: the value must have only visible ASCII characters and spaces`;
  if (value !== value.trim()) return `${name}: the value must not begin or end with a space`;
  return undefined;
}

const sizeOf = ({ name, value = '' }: { name: string; value?: string | undefined }): number => name.length + value.length + 4;

const WebhookHeader = z
  .object({
    name: described(z.string('must be a string').meta({ minLength: 1, maxLength: 64 }), 'The name of the header.', 'Authorization'),
    value: described(
      z.string('must be a string').meta({ minLength: 1, maxLength: maxValue }).optional(),
      'The value: visible ASCII characters and spaces. It is stored encrypted and never shown again.',
      'Bearer 5f2b…',
    ),
  })
  .check(({ value: header, issues }) => {
    const fault = headerFault(header);
    if (fault !== undefined) issues.push({ code: 'custom', message: fault, input: header.name, path: [] });
  });

const about =
  'At most 20, with unlike names. Not `Host`, `User-Agent`, `Content-*`, `Proxy-*`, `webhook-*`, `X-Webhook-*`, `Sheaf-*`, and what belongs to the connection or the trace.';

/** The headers that a webhook sends with each request. */
export const WebhookHeaders = z
  .array(WebhookHeader, 'must be an array')
  .max(maxWebhookHeaders, `must have at most ${maxWebhookHeaders} headers`)
  .check(({ value: headers, issues }) => {
    const names = headers.map(({ name }) => name.toLowerCase());
    const twice = headers.find(({ name }, at) => names.indexOf(name.toLowerCase()) !== at);
    if (twice) issues.push({ code: 'custom', message: `must not name ${twice.name} twice`, input: undefined, path: [] });
    const size = headers.reduce((sum, header) => sum + sizeOf(header), 0);
    if (size > maxTogether)
      issues.push({ code: 'custom', message: `must have at most ${maxTogether} characters together`, input: undefined, path: [] });
  })
  .meta({ description: about });

/** As a webhook shows them: the values are gone for good. */
export const ShownWebhookHeader = described(
  z.object({ name: described(z.string(), 'The name of the header.', 'Authorization') }),
  'A header that a webhook sends. Its value is never shown.',
);
