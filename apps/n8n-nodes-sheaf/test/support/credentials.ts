import {
  ICredentialsHelper,
  isExpression,
  type ICredentialDataDecryptedObject,
  type ICredentials,
  type ICredentialType,
  type IHttpRequestOptions,
  type INode,
  type INodeProperties,
  type Workflow,
} from 'n8n-workflow';

/** n8n's store of credentials, which is a part of its server: it resolves the headers that a credential adds, and has one credential. */
export class StoredCredential extends ICredentialsHelper {
  constructor(
    private readonly type: ICredentialType,
    private readonly data: ICredentialDataDecryptedObject,
  ) {
    super();
  }

  getParentTypes = (): string[] => [];

  authenticate(
    credentials: ICredentialDataDecryptedObject,
    _typeName: string,
    request: IHttpRequestOptions,
    workflow: Workflow,
    node: INode,
  ): Promise<IHttpRequestOptions> {
    const { authenticate } = this.type;
    if (typeof authenticate !== 'object') throw new Error('The credential does not authenticate generically.');
    const added = Object.entries(authenticate.properties.headers ?? {}).map(([name, value]) => [
      name,
      isExpression(value) ? workflow.expression.getSimpleParameterValue(node, value, 'internal', { $credentials: credentials }) : value,
    ]);
    return Promise.resolve({ ...request, headers: { ...request.headers, ...(Object.fromEntries(added) as Record<string, string>) } });
  }

  preAuthentication = (): Promise<undefined> => Promise.resolve(undefined);
  getDecrypted = (): Promise<ICredentialDataDecryptedObject> => Promise.resolve({ ...this.data });
  getCredentialsProperties = (): INodeProperties[] => this.type.properties;
  getCredentials = (): Promise<ICredentials> => Promise.reject(new Error('not needed'));
  updateCredentials = (): Promise<void> => Promise.resolve();
  updateCredentialsOauthTokenData = (): Promise<void> => Promise.resolve();
}
