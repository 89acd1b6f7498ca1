import type { ErasureRow } from './erasures.queries';

/** An erasure as the service answers it. A service that has not confirmed has no counts. */
export const erasureMessage = ({ awaited, confirmations, ...row }: ErasureRow) => ({
  id: row.id,
  kind: row.kind,
  target_id: row.target_id,
  form_id: row.form_id ?? undefined,
  workspace_id: row.workspace_id ?? undefined,
  reason: row.reason,
  requested_by_kind: row.requested_by_kind,
  requested_by_id: row.requested_by_id ?? undefined,
  requested_at: row.requested_at.toISOString(),
  services: awaited.map((service) => {
    const confirmed = confirmations.find((confirmation) => confirmation.service === service);
    return { service, confirmed_at: confirmed && new Date(confirmed.confirmed_at).toISOString(), counts: confirmed?.counts ?? {} };
  }),
});
