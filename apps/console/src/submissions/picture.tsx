import { downloadFile } from '@sheaf/client';
import { useEffect, useState } from 'react';
import { client } from '../api/client';
import { Problem } from '../parts/problem';
import { Skeleton } from '../parts/states';

interface PictureProps {
  form: string;
  id: string;
  name: string;
  /** The type that was looked at. */
  type: string;
  className: string | undefined;
}

/** A picture that a respondent sent. */
export function Picture({ form, id, name, type, className }: PictureProps) {
  const [address, setAddress] = useState<string>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const ending = new AbortController();
    let made: string | undefined;
    const load = async () => {
      const response = await downloadFile({ client, path: { id: form, fileId: id }, signal: ending.signal });
      // With the type that was looked at, whatever the file may be.
      made = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type }));
      setAddress(made);
    };
    load().catch((thrown: unknown) => !ending.signal.aborted && setError(thrown));
    return () => {
      ending.abort();
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [form, id, type]);
  if (error !== undefined) return <Problem error={error} />;
  return address === undefined ? <Skeleton lines={6} /> : <img src={address} alt={name} className={className} />;
}
