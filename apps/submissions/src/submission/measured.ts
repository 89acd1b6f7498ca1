/**
 * SQL for the submissions of `found`, in its order, each with its answers as text and how many bytes of answers there are up to it. There
 * are no answers behind those that take more than `most` bytes as they are stored, which is known without unpacking them: unpacked, they take no
 * less. To unpack hundreds of large ones in order to give out the first took PostgreSQL seconds. `offset 0` keeps it from unpacking each
 * answer anew wherever it is named.
 */
export const measured = (found: string, most: ':bytes' | ':maxBytes'): string => `
  select *, sum(octet_length(answers)) over (rows unbounded preceding) as bytes
    from (select *, case when stored_before <= ${most} then cast(data as text) end as answers
            from (select *, sum(pg_column_size(data)) over (rows unbounded preceding) - pg_column_size(data) as stored_before
                    from (${found}) as found) as stored offset 0) as unpacked`;

/** SQL for whether the answers of such a row fit into a page; those of the first one always do. */
export const fits = '(answers is not null and (bytes <= :maxBytes or bytes = octet_length(answers)))';
