/** SQL for a row of `measured` as JSON text in the v1 shape. */
export const asV1 = `format('{"id":"%s","form_id":"%s","data":%s,"schema_version":%s,"status":%s,"created_at":"%s"}',
  id, form_id, answers, schema_version, to_json(status), to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
