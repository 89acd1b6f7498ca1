import type { IAuthenticateGeneric, Icon, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

export class SheafApi implements ICredentialType {
  name = 'sheafApi';

  displayName = 'Sheaf API';

  icon: Icon = { light: 'file:../icons/sheaf.svg', dark: 'file:../icons/sheaf.dark.svg' };

  documentationUrl = 'https://git.example.org/sheaf/sheaf/docs/guides/automate-with-n8n.md';

  properties: INodeProperties[] = [
    {
      displayName: 'URL',
      name: 'url',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://forms.example.org',
      description: 'The address of your Sheaf instance, without a path',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'A key of yours, or of a service account with the scopes that the workflow needs',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{$credentials.apiKey}}' } },
  };

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.url.trim().replace(/\\/+$/, "")}}',
      url: '/api/v1/auth/me',
      // Otherwise a URL that redirects passes the test, while each call of the nodes fails.
      disableFollowRedirect: true,
    },
  };
}
