import { getFormVersion } from '@sheaf/contracts';
import { RawJson } from '../../http/json';
import { route, type Route } from '../../route';
import { rowOf } from '../derived';
import { param, type Services } from '../services';

/** A published version, whose fields pass through as they are stored. */
export const versions = ({ forms }: Services): Route[] => [
  route({
    ...rowOf(getFormVersion),
    handle: async ({ call, params }) => {
      const { fields, ...version } = await forms.getVersion(call, { form_id: param(params, 'id'), version: param(params, 'version') });
      return { ...version, fields: fields && RawJson.of(fields) };
    },
  }),
];
