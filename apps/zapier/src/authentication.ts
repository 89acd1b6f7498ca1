import type { Authentication, Bundle, ZObject } from 'zapier-platform-core';
import { call } from './api.js';

const test = (z: ZObject, bundle: Bundle): Promise<{ id: string; email: string; name: string }> =>
  call(z, bundle, { path: '/api/v1/auth/me' });

export default {
  type: 'custom',
  fields: [
    {
      key: 'url',
      label: 'URL',
      type: 'string',
      required: true,
      placeholder: 'https://forms.example.org',
      helpText: 'The address of your Sheaf instance, without a path. Zapier must be able to reach it.',
    },
    {
      key: 'api_key',
      label: 'API Key',
      type: 'password',
      required: true,
      helpText: 'A key of yours, or of a service account with the scopes that your Zaps need.',
    },
  ],
  test,
  connectionLabel: '{{name}}',
} satisfies Authentication;
