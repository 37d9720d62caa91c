-- A module has one name, its folder's. Packages of archived documents are files of `documents/archive`; the operation log is sealed, and its rows keep
-- the names they were written with (`formerNames` of modules/audit).
update file set module = 'documents/archive' where module = 'document_archive';
update file set owner_module = 'documents/archive' where owner_module = 'document_archive';
