-- Messages of delegations stand under their module's own name.
update msg set module = 'delegations' where module = 'stand_in';
