import type { ErasureRow } from './erasures.queries';

/** An erasure as operators see it. */
export const shownErasure = ({ awaited, confirmations, ...row }: ErasureRow) => ({
  id: row.id,
  instance_id: row.instance_id,
  workspace_id: row.workspace_id,
  kind: row.kind,
  target_id: row.target_id,
  form_id: row.form_id,
  reason: row.reason,
  requested_by: [row.requested_by_kind, row.requested_by_id].filter((part) => part !== null).join(' '),
  requested_at: row.requested_at,
  missing: awaited.filter((service) => !confirmations.some((confirmed) => confirmed.service === service)),
  services: awaited.map((service) => {
    const confirmed = confirmations.find((confirmation) => confirmation.service === service);
    return { service, confirmed_at: confirmed?.confirmed_at ?? null, counts: confirmed?.counts ?? {} };
  }),
});
