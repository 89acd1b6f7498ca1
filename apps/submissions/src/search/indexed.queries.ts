import { exactTime, readOf, type Database } from '@sheaf/postgres';
import { sectionSize } from './blocks.queries';
import { sectionMark, type Filter } from './filter';
import { bindings, endPlace, hitsAmong, lastId, orderBy, startPlace, within } from './find-clauses';
import { walkBudget } from './find.queries';
import type { Hit, Slice } from './slice';

/** If a section has more of what is sought, it is read block by block, so that a page puts no more than these in order. */
const fewHits = 256;
/** More than a section can have. All words with several beginnings are looked up each time, so it is read as a whole. */
const allHits = 1_000_000;

/** Limits of a request: so many entries one after another, as many hits of the index, and so many sections. */
interface Budgets {
  entries: number;
  sections: number;
}
const usual: Budgets = { entries: walkBudget, sections: 64 };

/**
 * Finds submissions by their terms: in the entries that are in no block yet, one after another, and in the blocks by the index.
 * @param isCommon whether the next block probably has some; otherwise the whole section is asked first
 */
export function fromIndex(db: Database, filter: Filter, slice: Slice, isCommon: boolean, { entries, sections } = usual): Promise<Hit[]> {
  const { direction } = slice;
  const isWide = filter.indexed.filter(({ isOpen }) => isOpen).length > 1;
  const [low, high] = direction === 'desc' ? [endPlace, startPlace] : [startPlace, endPlace];
  const isWithin = within(slice, 'e.created_at', 'e.submission_id');
  const order = orderBy(slice, 'e.created_at', 'e.submission_id');
  // Each part is in order already, and read only as far as the page needs it. So nothing here may sort or gather more than a block or few hits.
  const loose = `
    select e.*, row_number() over () as place
      from (select * from search_entry e
             where form_id = :formId and (created_at, submission_id) < (${high})
               and (created_at, submission_id) > ((select created_at from lowest), (select submission_id from lowest))
               ${direction === 'asc' ? `and not exists (${sectionBeyond})` : ''}
             order by ${order} limit ${entries}) as e`;
  const inSection = `e.block is not null and terms_in_section(e.block / ${sectionSize}, e.terms) @@ section.sought`;
  const startsWithBlocks = 'section.nth = 1 and :isCommon';
  const inBlocks = `
    select e.*, row_number() over () as place
      from (select hit.*
              from (select * from sections where nth <= :sections) as section
             cross join lateral (
               select array_agg(row) as rows, count(*) as hits
                 from (select e.ctid as row from search_entry e where ${inSection} and not (${startsWithBlocks}) limit :few + 1) as few
             ) as sample
             cross join lateral (
               (select e.* from (select * from search_entry where sample.hits <= :few and ctid = any(sample.rows) offset 0) as e
                 where ${isWithin} order by ${order})
               union all
               (select block_hit.*
                  from (select id from search_block
                         where (sample.hits > :few or ${startsWithBlocks}) and form_id = :formId
                           and id between greatest(section.id, (select first from bounds))
                                      and least(section.id + ${sectionSize - 1}, (select last from bounds))
                         order by id ${direction}) as block
                 cross join lateral (
                   select e.* from (select * from search_entry e where e.block = block.id and ${inSection} offset 0) as e
                    where ${isWithin} order by ${order}
                 ) as block_hit)
             ) as hit
             limit ${entries}) as e`;
  // If there are more sections, the next page starts between the last block that was read and its neighbour. Places are not included: on the
  // way to older ones, it starts at the oldest entry that was read, or where there is none any more.
  const boundary = (nth: string) => `
    (select id from sections where nth = ${nth} and exists (${sectionBeyond})) as section
     cross join lateral (select created_at, submission_id from search_block where form_id = :formId and id < section.id order by id desc limit 1) as older`;
  const lastRead =
    direction === 'asc'
      ? `select older.submission_id, ${exactTime('older.created_at')}, false, true from ${boundary(':sections + 1')}`
      : `select coalesce(e.submission_id, '${lastId}'), ${exactTime('coalesce(e.created_at, older.created_at)')}, false, true
           from ${boundary(':sections')}
           left join lateral (
             select created_at, submission_id from search_entry
              where form_id = :formId and (created_at, submission_id) > (older.created_at, older.submission_id)
                and (created_at, submission_id) < (${startPlace})
              order by created_at, submission_id limit 1
           ) as e on true`;
  return readOf<Hit>(
    db,
    `with last as materialized (
       select id, created_at, submission_id from search_block where form_id = :formId order by id desc limit 1
     ), lowest as materialized (
       select created_at, submission_id
         from (select created_at, submission_id from last union all values (${low})) as bound (created_at, submission_id)
        order by created_at desc, submission_id desc limit 1
     ), bounds as materialized (
       select (select id from search_block where form_id = :formId and (created_at, submission_id) > (${low})
                order by created_at, submission_id limit 1) as first,
              coalesce((select id from search_block where form_id = :formId and (created_at, submission_id) >= (${high})
                         order by created_at, submission_id limit 1), (select id from last)) as last
     ), sections as materialized (
       select id, cast(replace(:termsInSection, :sectionMark, (id / ${sectionSize}) || chr(31)) as tsquery) as sought,
              row_number() over (order by id ${direction}) as nth
         from search_block
        where form_id = :formId and id % ${sectionSize} = 0
          and id between (select first - first % ${sectionSize} from bounds) and (select last from bounds)
        order by id ${direction} limit :sections + 1
     )
     select * from (
       (${hitsAmong(direction === 'desc' ? `(${loose}) union all (${inBlocks})` : `(${inBlocks}) union all (${loose})`, filter, entries)})
       union all
       (${lastRead})
     ) as hits limit :limit`,
    {
      ...bindings(filter, slice),
      sectionMark,
      sections,
      isCommon: isCommon && !isWide,
      few: isWide ? allHits : fewHits,
    },
  );
}

const sectionBeyond = 'select from sections where nth > :sections';
