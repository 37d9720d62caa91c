-- Of an archive's numbers none is given twice, however it is typed: wide or narrow, in capitals or not, with spaces or signs nobody sees.
create unique index contract_archive_no_plain on contract
  (lower(regexp_replace(normalize(archive_no, NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')))
  where archive_no <> '';
