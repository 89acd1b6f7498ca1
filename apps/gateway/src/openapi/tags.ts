interface Tag {
  name: string;
  description: string;
  /** Matches the path after its prefix (`/api/v1`, `/app/v1` or `/public/v1`), such as `/forms/:id`. */
  pattern: RegExp;
}

/** In the order of the document. A path gets the last tag that matches. */
const tags: readonly Tag[] = [
  { name: 'Authentication', description: 'The caller and the active workspace.', pattern: /^\/auth\// },
  { name: 'Forms', description: 'Creating, changing, publishing, archiving and deleting forms.', pattern: /^\/forms\b/ },
  {
    name: 'Submissions',
    description: 'Submissions and their files.',
    pattern:
      /^(?:(?:\/forms\/:id)?\/submissions|(?:\/forms\/:id)?\/files|\/forms\/:id\/(?:exports|export-presets|imports|bulk-changes|views))\b/,
  },
  { name: 'Folders', description: 'Folders for the forms of a workspace.', pattern: /^\/folders\b/ },
  { name: 'Workspaces', description: 'Workspaces and their members.', pattern: /^\/(?:workspaces|people)\b/ },
  { name: 'Hooks', description: 'Subscriptions to the events of a form, and the events themselves.', pattern: /^\/hooks\b/ },
  { name: 'Sessions', description: 'Signing in and out, invitations, and the profile.', pattern: /^\/(?:sessions|invitations|me)\b/ },
  { name: 'Keys', description: 'API keys, service accounts and their keys.', pattern: /^\/(?:api-keys|service-accounts)\b/ },
  { name: 'Drafts', description: 'The unpublished fields of a form.', pattern: /^\/forms\/:id\/draft\b/ },
  { name: 'Versions', description: 'The published, immutable versions of a form.', pattern: /^\/forms\/:id\/versions\b/ },
  {
    name: 'Grants',
    description: 'Roles on single forms, for people who have no role or a lower one in the workspace.',
    pattern: /^\/forms\/:id\/grants\b/,
  },
  {
    name: 'Erasures',
    description: 'Erasures of forms, submissions and people, and the services that have completed them.',
    pattern: /^\/(?:erasures|subjects)\b/,
  },
  {
    name: 'Webhooks',
    description: 'The webhooks of a form, a workspace or the instance, as managed in the application.',
    pattern: /^(?:\/(?:forms|workspaces)\/:id)?\/webhook(?:s|-listeners)\b/,
  },
  { name: 'Deliveries', description: 'Deliveries to subscribers, with all attempts.', pattern: /^\/forms\/:id\/deliveries\b/ },
  { name: 'Webhook keys', description: 'The public keys that verify the signatures of deliveries.', pattern: /\/webhook-keys\b/ },
  { name: 'Instance', description: 'The settings of the whole instance.', pattern: /^\/instance\b/ },
  { name: 'Audit log', description: 'The audit log of changes, exports and downloads.', pattern: /^\/audit-log\b/ },
  { name: 'Events', description: 'Changes as they happen, for screens.', pattern: /^\/events\b/ },
  { name: 'Respondents', description: 'Published forms for respondents. No credential is needed.', pattern: /^\/forms\/:form\b/ },
  { name: 'Payments', description: 'Events of the payment provider.', pattern: /^\/payments\b/ },
];

/** @throws Error if no tag matches the path. */
export function tagOf(path: string): Tag {
  const suffix = path.replace(/^\/(?:api|app|public)\/v1/, '');
  const tag = tags.findLast(({ pattern }) => pattern.test(suffix));
  if (!tag) throw new Error(`apps/gateway/src/openapi/tags.ts has no tag for ${path}`);
  return tag;
}

/** Sorts routes by their place in the document. */
export const byTag = (a: { path: string }, b: { path: string }): number => tags.indexOf(tagOf(a.path)) - tags.indexOf(tagOf(b.path));
