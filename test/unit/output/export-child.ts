/** Exports a folder and tells only how much came out; run with a small heap. */

import { exportRecords, type ExportReport } from '../../../src/output/export.js';

const [, , dir = ''] = process.argv;
let report: ExportReport | undefined;
let urls = 0;
const onReport = (told: ExportReport): void => {
  report = told;
};
for await (const record of exportRecords({ dir, select: 'pages', onReport })) {
  if (record.url !== '') urls += 1;
}
console.log(
  JSON.stringify({ urls, replaced: report?.replaced, droppedLines: report?.droppedLines }),
);
