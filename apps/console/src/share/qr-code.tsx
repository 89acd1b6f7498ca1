import { Download } from 'lucide-react';
import { encode } from 'uqr';
import { download } from '../parts/download';
import { Button } from '../parts/button';
import { useWords } from '../words/use-words';
import style from './share.module.css';

/** Scanners need four modules of white around the code. */
const quietZone = 4;

interface Drawing {
  size: number;
  /** A square for each dark module. */
  path: string;
}

function draw(text: string): Drawing {
  const { size, data } = encode(text, { ecc: 'M', border: quietZone });
  const squares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { size, path: squares.join('') };
}

/** Black on white in dark mode too: many scanners do not read the reverse. */
export function QrCode({ link, name }: { link: string; name: string }) {
  const say = useWords('share');
  const { size, path } = draw(link);
  const save = () =>
    download(
      `${name}.svg`,
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 10}" height="${size * 10}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${path}"/></svg>\n`,
      'image/svg+xml',
    );
  return (
    <figure className={style.qr}>
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={say.qrLabel(link)} shapeRendering="crispEdges">
        <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
        <path fill="#000" d={path} />
      </svg>
      <Button isSmall icon={Download} onPress={save}>
        {say.downloadQr}
      </Button>
    </figure>
  );
}
