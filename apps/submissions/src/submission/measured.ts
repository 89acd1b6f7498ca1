/**
 * SQL for the submissions with these `:ids`, as `s`, and their `place` among them. Each is looked up by its id: the plan of a join that was
 * made while the table was small would go on to read all of it.
 */
export const byIds = `unnest(cast(:ids as uuid[])) with ordinality as sought (id, place)
  cross join lateral (select * from submission where id = sought.id offset 0) as s`;

/**
 * SQL for the submissions of `found`, in its order, each with its answers as text and the running total of answer bytes. Answers are null
 * once the stored sizes before them exceed `most` bytes. That is known without unpacking them, and they are never smaller unpacked.
 * Unpacking hundreds of large answers in order to return only the first took PostgreSQL seconds. `offset 0` keeps it from unpacking an
 * answer again wherever it is referenced.
 */
export const measured = (found: string, most: ':bytes' | ':maxBytes'): string => `
  select *, sum(octet_length(answers)) over (rows unbounded preceding) as bytes
    from (select *, case when stored_before <= ${most} then cast(data as text) end as answers
            from (select *, sum(pg_column_size(data)) over (rows unbounded preceding) - pg_column_size(data) as stored_before
                    from (${found}) as found) as stored offset 0) as unpacked`;

/** SQL condition: the row's answers fit into the page. Those of the first row always do. */
export const fits = '(answers is not null and (bytes <= :maxBytes or bytes = octet_length(answers)))';
