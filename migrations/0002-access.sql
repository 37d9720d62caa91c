alter table role_scope_dept add constraint role_scope_dept_dept foreign key (dept_id) references dept (id);
