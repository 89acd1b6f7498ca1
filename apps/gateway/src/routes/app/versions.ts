import { FormVersionDetail, FormVersionList, VersionsQuery } from '@sheaf/contracts';
import { RawJson } from '../../http/json';
import { route, type Route } from '../../route';
import { pageOf, param, type Services } from '../services';

const base = '/app/v1';

/** The published versions of forms. */
export const versions = ({ forms }: Services): Route[] => [
  route({
    method: 'get',
    path: `${base}/forms/:id/versions`,
    summary: 'List the versions of a form',
    access: { scope: 'forms:read' },
    query: VersionsQuery,
    status: 200,
    reply: FormVersionList,
    errors: [400, 401, 403, 404],
    handle: async ({ call, params, query }) => {
      const page = await forms.listVersions(call, { form_id: param(params, 'id'), ...query });
      return pageOf(page.versions, page.total, query);
    },
  }),
  route({
    method: 'get',
    path: `${base}/forms/:id/versions/:version`,
    summary: 'Get a version of a form',
    access: { scope: 'forms:read' },
    status: 200,
    reply: FormVersionDetail,
    errors: [401, 403, 404],
    handle: async ({ call, params }) => {
      const { fields, ...version } = await forms.getVersion(call, { form_id: param(params, 'id'), version: param(params, 'version') });
      return { ...version, fields: fields && RawJson.of(fields) };
    },
  }),
];
