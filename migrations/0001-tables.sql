CREATE TABLE "activity_change" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer,
	"ticket_id" integer,
	"act_state" smallint DEFAULT 0 NOT NULL,
	"is_refused" boolean DEFAULT false NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	"was" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"becomes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"record_id" integer NOT NULL,
	"judged" jsonb,
	CONSTRAINT "activity_change_ticket_id_unique" UNIQUE("ticket_id")
);

CREATE TABLE "activity_guest" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_guest_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"activity_id" integer NOT NULL,
	"no" smallint NOT NULL,
	"name" varchar(50) NOT NULL,
	"org" varchar(100) DEFAULT '' NOT NULL,
	"title" varchar(50) DEFAULT '' NOT NULL,
	"nationality" varchar(2) DEFAULT 'CN' NOT NULL,
	"topic" varchar(200) DEFAULT '' NOT NULL,
	"is_external" boolean DEFAULT false NOT NULL,
	"phone" varchar(30) DEFAULT '' NOT NULL,
	"background" text DEFAULT '' NOT NULL,
	"note_of" integer,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "activity_guest_nationality" CHECK ("activity_guest"."nationality" ~ '^[A-Z]{2}$')
);

CREATE TABLE "activity_leader" (
	"activity_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"schedule_ref" integer,
	CONSTRAINT "activity_leader_activity_id_user_id_pk" PRIMARY KEY("activity_id","user_id")
);

CREATE TABLE "activity_round" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_round_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"activity_id" integer NOT NULL,
	"change_id" integer,
	"round" smallint NOT NULL,
	"judged_at" timestamp with time zone NOT NULL,
	"rule_version" integer NOT NULL,
	"verdict" jsonb NOT NULL
);

CREATE TABLE "activity" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "activity_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer,
	"ticket_id" integer,
	"act_state" smallint DEFAULT 0 NOT NULL,
	"is_refused" boolean DEFAULT false NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"title" varchar(100) NOT NULL,
	"type_id" smallint,
	"is_social_science" boolean DEFAULT false NOT NULL,
	"audience" smallint,
	"co_orgs" varchar(200) DEFAULT '' NOT NULL,
	"undertaker" integer,
	"phone" varchar(30) DEFAULT '' NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"start_time" timestamp with time zone,
	"end_time" timestamp with time zone,
	"urgent_reason" varchar(300) DEFAULT '' NOT NULL,
	"room_id" integer,
	"location" varchar(100) DEFAULT '' NOT NULL,
	"is_online" boolean DEFAULT false NOT NULL,
	"online_platform" varchar(50) DEFAULT '' NOT NULL,
	"online_link" varchar(300) DEFAULT '' NOT NULL,
	"online_admits" varchar(50) DEFAULT '' NOT NULL,
	"in_count" integer,
	"out_count" integer,
	"has_overseas" boolean DEFAULT false NOT NULL,
	"has_foreign" boolean DEFAULT false NOT NULL,
	"has_external" boolean DEFAULT false NOT NULL,
	"safety_plan" integer,
	"safety_officer" integer,
	"safety_phone" varchar(30) DEFAULT '' NOT NULL,
	"budget" numeric(16, 2),
	"fund_source" varchar(100) DEFAULT '' NOT NULL,
	"need" varchar(20)[] DEFAULT '{}' NOT NULL,
	"media_report" boolean DEFAULT false NOT NULL,
	"poster" integer[] DEFAULT '{}' NOT NULL,
	"publicity_plan" varchar(300) DEFAULT '' NOT NULL,
	"attachments" integer[] DEFAULT '{}' NOT NULL,
	"judged" jsonb,
	"urgent" boolean DEFAULT false NOT NULL,
	"sent_at" timestamp with time zone,
	"back_at" timestamp with time zone,
	"activity_status" smallint DEFAULT 0 NOT NULL,
	"cancel_reason" varchar(200) DEFAULT '' NOT NULL,
	"summary" text DEFAULT '' NOT NULL,
	"summary_due" date,
	"summary_return" varchar(200) DEFAULT '' NOT NULL,
	"was_returned" boolean DEFAULT false NOT NULL,
	"summarised_at" timestamp with time zone,
	"actual_in" integer,
	"actual_out" integer,
	"news_link" varchar(300) DEFAULT '' NOT NULL,
	"no_photos" boolean DEFAULT false NOT NULL,
	CONSTRAINT "activity_ticket_id_unique" UNIQUE("ticket_id"),
	CONSTRAINT "activity_counts" CHECK (least("activity"."in_count", "activity"."out_count", "activity"."actual_in", "activity"."actual_out") >= 0),
	CONSTRAINT "activity_safety" CHECK ("activity"."act_state" not in (1, 4) or "activity"."activity_status" <> 0 or ("activity"."judged" #>> '{verdict,need_safety}') is distinct from 'true'
        or ("activity"."safety_plan" is not null and "activity"."safety_officer" is not null and "activity"."safety_phone" <> '')),
	CONSTRAINT "activity_in_order" CHECK ("activity"."end_time" > "activity"."start_time"),
	CONSTRAINT "activity_external" CHECK ("activity"."act_state" in (0, 2, 3, 5) or not "activity"."has_external" or "activity"."out_count" > 0),
	CONSTRAINT "activity_status" CHECK ("activity"."activity_status" in (0, 4) or ("activity"."act_state" = 4 and "activity"."activity_status" between 1 and 3)),
	CONSTRAINT "activity_summary" CHECK (("activity"."activity_status" = 3) = ("activity"."summary" <> '' and "activity"."summary_return" = '')),
	CONSTRAINT "activity_due" CHECK ("activity"."activity_status" <> 2 or "activity"."summary_due" is not null),
	CONSTRAINT "activity_cancelled" CHECK (("activity"."activity_status" = 4) = ("activity"."cancel_reason" <> ''))
);

CREATE TABLE "leader_address" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leader_address_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"owner_id" integer,
	"name" varchar(100) NOT NULL,
	"campus" varchar(20) DEFAULT '' NOT NULL,
	"use_count" integer DEFAULT 1 NOT NULL,
	"last_used" timestamp with time zone DEFAULT now() NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL
);

CREATE TABLE "photo_category" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "photo_category_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"name" varchar(30) NOT NULL,
	"parent_id" integer,
	"order_id" integer DEFAULT 0 NOT NULL,
	"description" varchar(200) DEFAULT '' NOT NULL,
	"status" boolean DEFAULT true NOT NULL,
	"audience" text[] DEFAULT '{"a0"}' NOT NULL,
	"uploaders" text[] DEFAULT '{"a0"}' NOT NULL,
	"manager_ids" integer[] DEFAULT '{}' NOT NULL,
	"review" boolean DEFAULT true NOT NULL,
	"watermark" boolean DEFAULT false NOT NULL,
	"points" smallint DEFAULT 1 NOT NULL,
	"cover" integer,
	"source_module" varchar(30),
	"source_id" integer,
	CONSTRAINT "photo_category_source" UNIQUE("source_module","source_id"),
	CONSTRAINT "photo_category_not_own_parent" CHECK ("photo_category"."parent_id" <> "photo_category"."id"),
	CONSTRAINT "photo_category_points" CHECK ("photo_category"."points" between 0 and 20),
	CONSTRAINT "photo_category_audience" CHECK (array_to_string("photo_category"."audience", ' ') ~ '^(a0|[dru][1-9][0-9]*( [dru][1-9][0-9]*)*)$')
);

CREATE TABLE "monitor_alert" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "monitor_alert_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"project_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"record_id" integer,
	"event" varchar(20) NOT NULL,
	"text" varchar(300) DEFAULT '' NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"told_at" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"texted" boolean DEFAULT false NOT NULL
);

CREATE TABLE "stamp_alert" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stamp_alert_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" smallint NOT NULL,
	"about" varchar(120) NOT NULL,
	"title" varchar(200) NOT NULL,
	"stamp_id" integer,
	"application_id" integer,
	"handled" boolean DEFAULT false NOT NULL,
	"result" smallint,
	"note" varchar(300) DEFAULT '' NOT NULL,
	"handled_by" integer,
	"handled_at" timestamp with time zone,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stamp_alert_once" UNIQUE("kind","about"),
	CONSTRAINT "stamp_alert_kind" CHECK ("stamp_alert"."kind" between 1 and 7),
	CONSTRAINT "stamp_alert_handled" CHECK ("stamp_alert"."handled" = (num_nonnulls("stamp_alert"."result", "stamp_alert"."handled_by", "stamp_alert"."handled_at") = 3))
);

CREATE TABLE "alumnus" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "alumnus_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer,
	"name" varchar(30) NOT NULL,
	"gender" varchar(1) DEFAULT '' NOT NULL,
	"student_no" varchar(30) NOT NULL,
	"college" varchar(50) DEFAULT '' NOT NULL,
	"major" varchar(50) DEFAULT '' NOT NULL,
	"enter_year" smallint,
	"graduate_year" smallint,
	"class_name" varchar(50) DEFAULT '' NOT NULL,
	"degree" varchar(20) DEFAULT '' NOT NULL,
	"mobile" text,
	"mobile_mark" char(64),
	"mobile_tail" char(4),
	"email" varchar(100) DEFAULT '' NOT NULL,
	"city" varchar(30) DEFAULT '' NOT NULL,
	"company" varchar(60) DEFAULT '' NOT NULL,
	"post" varchar(30) DEFAULT '' NOT NULL,
	"consent_sms" boolean DEFAULT false NOT NULL,
	"consent_at" timestamp with time zone,
	"consent_from" varchar(60) DEFAULT '' NOT NULL,
	"opt_out" boolean DEFAULT false NOT NULL,
	"remark" varchar(200) DEFAULT '' NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "alumnus_consent_said" CHECK (not "alumnus"."consent_sms" or ("alumnus"."consent_at" is not null and "alumnus"."consent_from" <> '')),
	CONSTRAINT "alumnus_mobile_whole" CHECK (num_nulls("alumnus"."mobile", "alumnus"."mobile_mark", "alumnus"."mobile_tail") in (0, 3))
);

CREATE TABLE "app_token" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "app_token_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"app_name" varchar(50) NOT NULL,
	"key" text NOT NULL,
	"creator_id" integer NOT NULL,
	"apis" text[] NOT NULL,
	"ip_whitelist" text[] DEFAULT '{}' NOT NULL,
	"workflow_ids" integer[] DEFAULT '{}' NOT NULL,
	"ticket_sn_prefix" varchar(10) DEFAULT '' NOT NULL,
	"begins_for" text[] DEFAULT '{}' NOT NULL,
	"push_url" varchar(500) DEFAULT '' NOT NULL,
	"rate_limit" integer DEFAULT 600 NOT NULL,
	"expire_at" timestamp with time zone,
	"status" boolean DEFAULT true NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "app_token_rate" CHECK ("app_token"."rate_limit" between 1 and 6000),
	CONSTRAINT "app_token_apis" CHECK (cardinality("app_token"."apis") > 0)
);

CREATE TABLE "app_token_use" (
	"sign" char(64) PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);

CREATE TABLE "stamp_file" (
	"application_id" integer NOT NULL,
	"file_id" integer NOT NULL,
	"kind" smallint DEFAULT 1 NOT NULL,
	"order_no" integer DEFAULT 0 NOT NULL,
	"sha256" char(64) NOT NULL,
	"pages" integer,
	"blanks" jsonb,
	CONSTRAINT "stamp_file_application_id_file_id_pk" PRIMARY KEY("application_id","file_id"),
	CONSTRAINT "stamp_file_kind" CHECK ("stamp_file"."kind" in (1, 2))
);

CREATE TABLE "stamp_application" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stamp_application_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer,
	"ticket_id" integer,
	"act_state" smallint DEFAULT 0 NOT NULL,
	"is_refused" boolean DEFAULT false NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	"title" varchar(100) NOT NULL,
	"reason" varchar(300) NOT NULL,
	"use_type" smallint DEFAULT 1 NOT NULL,
	"file_kind" smallint DEFAULT 9 NOT NULL,
	"pages" integer,
	"copies" integer DEFAULT 1 NOT NULL,
	"serial_from" varchar(30) DEFAULT '' NOT NULL,
	"serial_to" varchar(30) DEFAULT '' NOT NULL,
	"cross_page" boolean DEFAULT false NOT NULL,
	"receiver" varchar(100) DEFAULT '' NOT NULL,
	"amount" numeric(16, 2),
	"operator_id" integer NOT NULL,
	"no_blanks" boolean DEFAULT false NOT NULL,
	"borrow_start" timestamp with time zone,
	"borrow_end" timestamp with time zone,
	"borrow_place" varchar(100) DEFAULT '' NOT NULL,
	"escort_id" integer,
	"source_module" varchar(30) DEFAULT '' NOT NULL,
	"source_id" integer,
	"again_of" integer,
	"seal_status" smallint DEFAULT 0 NOT NULL,
	"ready_at" timestamp with time zone,
	"due_day" date,
	"need_at" timestamp with time zone,
	"sealed_at" timestamp with time zone,
	"copy_due" date,
	"copy_at" timestamp with time zone,
	CONSTRAINT "stamp_application_ticket_id_unique" UNIQUE("ticket_id"),
	CONSTRAINT "stamp_application_use_type" CHECK ("stamp_application"."use_type" in (1, 2)),
	CONSTRAINT "stamp_application_file_kind" CHECK ("stamp_application"."file_kind" between 1 and 9),
	CONSTRAINT "stamp_application_copies" CHECK ("stamp_application"."copies" between 1 and case when "stamp_application"."file_kind" = 8 then 9999 else 999 end),
	CONSTRAINT "stamp_application_status" CHECK ("stamp_application"."seal_status" between 0 and 6),
	CONSTRAINT "stamp_application_period" CHECK ("stamp_application"."borrow_start" < "stamp_application"."borrow_end"),
	CONSTRAINT "stamp_application_source_whole" CHECK (("stamp_application"."source_module" = '') = ("stamp_application"."source_id" is null))
);

CREATE TABLE "wait_aside" (
	"user_id" integer NOT NULL,
	"row" varchar(80) NOT NULL,
	"web_path" varchar(200) NOT NULL,
	"due_at" timestamp with time zone,
	"until" timestamp with time zone NOT NULL,
	"put_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "wait_aside_user_id_row_pk" PRIMARY KEY("user_id","row")
);

CREATE TABLE "attempt" (
	"kind" varchar(30) NOT NULL,
	"subject" varchar(200) NOT NULL,
	"count" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "attempt_kind_subject_pk" PRIMARY KEY("kind","subject")
);

CREATE TABLE "leader_attend" (
	"schedule_id" integer NOT NULL,
	"leader_id" integer NOT NULL,
	"state" smallint DEFAULT 0 NOT NULL,
	"note" varchar(200) DEFAULT '' NOT NULL,
	"by" integer,
	"at" timestamp with time zone,
	CONSTRAINT "leader_attend_schedule_id_leader_id_pk" PRIMARY KEY("schedule_id","leader_id"),
	CONSTRAINT "leader_attend_state" CHECK ("leader_attend"."state" between 0 and 3)
);

CREATE TABLE "meet_attendee" (
	"meet_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"role" smallint DEFAULT 2 NOT NULL,
	"told_at" timestamp with time zone,
	"reply" smallint DEFAULT 0 NOT NULL,
	"reply_reason" varchar(200) DEFAULT '' NOT NULL,
	"reply_time" timestamp with time zone,
	"substitute_id" integer,
	"substitute_state" smallint,
	"sign_state" smallint DEFAULT 0 NOT NULL,
	"sign_time" timestamp with time zone,
	"sign_method" smallint,
	"sign_device" char(64),
	"signed_by" integer,
	"seat" varchar(20) DEFAULT '' NOT NULL,
	CONSTRAINT "meet_attendee_meet_id_user_id_pk" PRIMARY KEY("meet_id","user_id"),
	CONSTRAINT "meet_attendee_role" CHECK ("meet_attendee"."role" between 1 and 4),
	CONSTRAINT "meet_attendee_reply" CHECK ("meet_attendee"."reply" between 0 and 3),
	CONSTRAINT "meet_attendee_sign" CHECK ("meet_attendee"."sign_state" between 0 and 4),
	CONSTRAINT "meet_attendee_substitute_whole" CHECK (("meet_attendee"."substitute_id" is null) = ("meet_attendee"."substitute_state" is null) and ("meet_attendee"."reply" = 3) = ("meet_attendee"."substitute_id" is not null)
        and "meet_attendee"."substitute_state" between 0 and 2 and "meet_attendee"."substitute_id" <> "meet_attendee"."user_id")
);

CREATE TABLE "meet_blackout" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meet_blackout_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"room_id" integer NOT NULL,
	"start_time" timestamp with time zone NOT NULL,
	"end_time" timestamp with time zone NOT NULL,
	"reason" varchar(100) NOT NULL,
	"creator_id" integer NOT NULL,
	CONSTRAINT "meet_blackout_in_order" CHECK ("meet_blackout"."start_time" < "meet_blackout"."end_time")
);

CREATE TABLE "booking" (
	"module" varchar(30) NOT NULL,
	"record_id" integer NOT NULL,
	"slot" varchar(20) DEFAULT '' NOT NULL,
	"resource" varchar(20) NOT NULL,
	"resource_id" integer NOT NULL,
	"start_time" timestamp with time zone NOT NULL,
	"end_time" timestamp with time zone NOT NULL,
	"free_at" timestamp with time zone NOT NULL,
	"during" "tstzrange" GENERATED ALWAYS AS (tstzrange(start_time, free_at)) STORED NOT NULL,
	"state" varchar(10) NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "booking_module_record_id_slot_pk" PRIMARY KEY("module","record_id","slot"),
	CONSTRAINT "booking_state" CHECK ("booking"."state" in ('held', 'confirmed')),
	CONSTRAINT "booking_in_order" CHECK ("booking"."start_time" < "booking"."end_time" and "booking"."end_time" <= "booking"."free_at"),
	CONSTRAINT "booking_length" CHECK ("booking"."free_at" - "booking"."start_time" <= interval '366 days')
);

CREATE TABLE "button" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "button_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"name" varchar(20) NOT NULL,
	"code" varchar(20) NOT NULL,
	"icon" varchar(50) DEFAULT '' NOT NULL,
	"order_id" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "button_code_unique" UNIQUE("code")
);

CREATE TABLE "calendar_day" (
	"day" date PRIMARY KEY NOT NULL,
	"works" boolean NOT NULL,
	"name" varchar(30) NOT NULL,
	"origin" varchar(10) NOT NULL,
	"plan" smallint,
	"set_by" integer NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "calendar_day_in_range" CHECK ("calendar_day"."day" between date '2000-01-01' and date '2099-12-31'),
	CONSTRAINT "calendar_day_named" CHECK (btrim("calendar_day"."name") <> ''),
	CONSTRAINT "calendar_day_of_plan" CHECK (("calendar_day"."plan" is null) = ("calendar_day"."origin" = 'own'))
);

CREATE TABLE "folder_category" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "folder_category_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"name" varchar(30) NOT NULL,
	"code" varchar(20) DEFAULT '' NOT NULL,
	"parent_id" integer,
	"order_id" integer DEFAULT 0 NOT NULL,
	"status" boolean DEFAULT true NOT NULL,
	"workflow_id" integer,
	"audience" text[] DEFAULT '{"a0"}' NOT NULL,
	"manager_ids" integer[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "folder_category_not_own_parent" CHECK ("folder_category"."parent_id" <> "folder_category"."id"),
	CONSTRAINT "folder_category_audience" CHECK (array_to_string("folder_category"."audience", ' ') ~ '^(a0|[dru][1-9][0-9]*( [dru][1-9][0-9]*)*)$')
);

CREATE TABLE "leader_change" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leader_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"schedule_id" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"by" integer,
	"kind" varchar(10) NOT NULL,
	"was" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"becomes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"reason" varchar(300) DEFAULT '' NOT NULL,
	CONSTRAINT "leader_change_kind" CHECK ("leader_change"."kind" in ('edit', 'cancel', 'reply', 'source', 'back'))
);

CREATE TABLE "meet_change" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meet_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer,
	"ticket_id" integer,
	"act_state" smallint DEFAULT 0 NOT NULL,
	"is_refused" boolean DEFAULT false NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	"was" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"becomes" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"record_id" integer NOT NULL,
	CONSTRAINT "meet_change_ticket_id_unique" UNIQUE("ticket_id")
);

CREATE TABLE "monitor_claim" (
	"mark" varchar(64) PRIMARY KEY NOT NULL,
	"name" varchar(50) DEFAULT '' NOT NULL,
	"record_ids" integer[] DEFAULT '{}' NOT NULL,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "folder_collect" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "folder_collect_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"paper_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "folder_collect_once" UNIQUE("user_id","paper_id")
);

CREATE TABLE "confirmed_mail" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"address" varchar(100) NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "customer_contact" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "customer_contact_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"creator_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"project_id" integer,
	"name" varchar(30) NOT NULL,
	"gender" varchar(1) DEFAULT '' NOT NULL,
	"post" varchar(50) DEFAULT '' NOT NULL,
	"dept" varchar(50) DEFAULT '' NOT NULL,
	"mobile" text,
	"mobile_mark" char(64),
	"mobile_tail" char(4),
	"phone" varchar(30) DEFAULT '' NOT NULL,
	"email" varchar(100) DEFAULT '' NOT NULL,
	"wechat" varchar(50) DEFAULT '' NOT NULL,
	"is_primary" boolean DEFAULT false NOT NULL,
	"receive_sms" boolean DEFAULT false NOT NULL,
	"remark" varchar(500) DEFAULT '' NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "customer_contact_reached" CHECK ("customer_contact"."mobile" is not null or "customer_contact"."phone" <> ''),
	CONSTRAINT "customer_contact_mobile_whole" CHECK (num_nulls("customer_contact"."mobile", "customer_contact"."mobile_mark", "customer_contact"."mobile_tail") in (0, 3))
);

CREATE TABLE "file_content" (
	"sha256" char(64) PRIMARY KEY NOT NULL,
	"size" bigint NOT NULL,
	"is_stored" boolean DEFAULT false NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	"left_at" timestamp with time zone
);

CREATE TABLE "contract_category" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contract_category_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"name" varchar(30) NOT NULL,
	"code" varchar(10) NOT NULL,
	"parent_id" integer,
	"order_id" integer DEFAULT 0 NOT NULL,
	"status" boolean DEFAULT true NOT NULL,
	"manage_dept" integer,
	"need_legal" boolean DEFAULT false NOT NULL,
	"out_steps" jsonb DEFAULT '[50000,500000]'::jsonb NOT NULL,
	"in_steps" jsonb DEFAULT '[50000,500000]'::jsonb NOT NULL,
	"default_template_id" integer,
	"retention" varchar(10) DEFAULT '30年' NOT NULL,
	"verify_title" boolean DEFAULT false NOT NULL,
	CONSTRAINT "contract_category_code" UNIQUE("code"),
	CONSTRAINT "contract_category_not_own_parent" CHECK ("contract_category"."parent_id" <> "contract_category"."id"),
	CONSTRAINT "contract_category_code_form" CHECK ("contract_category"."code" ~ '^[A-Z0-9]+$')
);

CREATE TABLE "contract_entry" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contract_entry_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"contract_id" integer NOT NULL,
	"performance_id" integer NOT NULL,
	"date" date NOT NULL,
	"amount" numeric(16, 2),
	"voucher_no" varchar(50) DEFAULT '' NOT NULL,
	"invoice_no" varchar(50) DEFAULT '' NOT NULL,
	"accept_result" smallint,
	"file_ids" integer[] DEFAULT '{}' NOT NULL,
	"remark" varchar(500) DEFAULT '' NOT NULL,
	"reverses_id" integer,
	"by" integer,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contract_entry_reversed_once" UNIQUE("reverses_id"),
	CONSTRAINT "contract_entry_amount" CHECK ("contract_entry"."amount" <> 0),
	CONSTRAINT "contract_entry_sign" CHECK ("contract_entry"."reverses_id" is not null or "contract_entry"."amount" is null or "contract_entry"."amount" > 0)
);

CREATE TABLE "contract_event" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contract_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"contract_id" integer NOT NULL,
	"type" varchar(12) NOT NULL,
	"from_stage" smallint NOT NULL,
	"to_stage" smallint NOT NULL,
	"reason" varchar(500) DEFAULT '' NOT NULL,
	"changes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"file_ids" integer[] DEFAULT '{}' NOT NULL,
	"supplement_id" integer,
	"entry_id" integer,
	"dispute_id" integer,
	"by" integer,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contract_event_dispute_once" UNIQUE("dispute_id"),
	CONSTRAINT "contract_event_ends" CHECK (("contract_event"."type" = 'dispute_end') = ("contract_event"."dispute_id" is not null))
);

CREATE TABLE "contract_number" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contract_number_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"contract_id" integer NOT NULL,
	"category_id" integer,
	"parent_id" integer,
	"year" smallint NOT NULL,
	"seq" integer NOT NULL,
	"contract_no" varchar(40) NOT NULL,
	"state" smallint DEFAULT 1 NOT NULL,
	"reason" varchar(200) DEFAULT '' NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"voided_at" timestamp with time zone,
	CONSTRAINT "contract_number_contract_no_unique" UNIQUE("contract_no"),
	CONSTRAINT "contract_number_seq" UNIQUE("category_id","year","seq"),
	CONSTRAINT "contract_number_supplement" UNIQUE("parent_id","seq"),
	CONSTRAINT "contract_number_counts" CHECK (num_nonnulls("contract_number"."category_id", "contract_number"."parent_id") = 1),
	CONSTRAINT "contract_number_state" CHECK ("contract_number"."state" = 1 or ("contract_number"."state" = 3 and "contract_number"."reason" <> ''))
);

CREATE TABLE "contract_party" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contract_party_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"name" varchar(100) NOT NULL,
	"plain_name" varchar(100) GENERATED ALWAYS AS (lower(regexp_replace(normalize(translate(name, '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g'))) STORED NOT NULL,
	"credit_code" varchar(18) DEFAULT '' NOT NULL,
	"legal_person" varchar(50) DEFAULT '' NOT NULL,
	"contact_name" varchar(50) DEFAULT '' NOT NULL,
	"contact_phone" varchar(30) DEFAULT '' NOT NULL,
	"address" varchar(200) DEFAULT '' NOT NULL,
	"bank_name" varchar(100) DEFAULT '' NOT NULL,
	"bank_account" varchar(50) DEFAULT '' NOT NULL,
	"standing" smallint DEFAULT 0 NOT NULL,
	"standing_reason" varchar(200) DEFAULT '' NOT NULL,
	"standing_until" date,
	"merged_id" integer,
	"remark" varchar(300) DEFAULT '' NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "contract_party_standing" CHECK ("contract_party"."standing" between 0 and 2),
	CONSTRAINT "contract_party_reason" CHECK ("contract_party"."standing" = 0 or "contract_party"."standing_reason" <> ''),
	CONSTRAINT "contract_party_not_itself" CHECK ("contract_party"."merged_id" <> "contract_party"."id")
);

CREATE TABLE "contract_performance" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contract_performance_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"contract_id" integer NOT NULL,
	"kind" smallint NOT NULL,
	"direction" smallint,
	"gives_back" boolean DEFAULT false NOT NULL,
	"period" smallint DEFAULT 1 NOT NULL,
	"name" varchar(60) NOT NULL,
	"condition" varchar(300) DEFAULT '' NOT NULL,
	"plan_date" date NOT NULL,
	"plan_amount" numeric(16, 2),
	"handler" integer NOT NULL,
	"remind_days" integer[] DEFAULT '{7,3,0}' NOT NULL,
	"cancelled" boolean DEFAULT false NOT NULL,
	"cancel_reason" varchar(300) DEFAULT '' NOT NULL,
	"settlement" boolean DEFAULT false NOT NULL,
	"done_amount" numeric(16, 2) DEFAULT 0 NOT NULL,
	"entries" integer DEFAULT 0 NOT NULL,
	"holding" integer DEFAULT 0 NOT NULL,
	"accepted" integer DEFAULT 0 NOT NULL,
	"is_open" boolean GENERATED ALWAYS AS (not cancelled and case when coalesce(plan_amount, 0) > 0 then done_amount < plan_amount else accepted = 0 end) STORED NOT NULL,
	CONSTRAINT "contract_performance_kind" CHECK ("contract_performance"."kind" in (1, 2, 3, 4, 5, 6, 12)),
	CONSTRAINT "contract_performance_gives_back" CHECK (not "contract_performance"."gives_back" or "contract_performance"."kind" = 5),
	CONSTRAINT "contract_performance_amount" CHECK ("contract_performance"."plan_amount" >= 0),
	CONSTRAINT "contract_performance_direction" CHECK ("contract_performance"."kind" not in (1, 2, 5) or "contract_performance"."direction" in (1, 2)),
	CONSTRAINT "contract_performance_fits" CHECK (("contract_performance"."kind" <> 1 or "contract_performance"."direction" = 1) and ("contract_performance"."kind" <> 2 or "contract_performance"."direction" = 2))
);

CREATE TABLE "contract_side" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contract_side_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"contract_id" integer NOT NULL,
	"no" smallint NOT NULL,
	"party_id" integer NOT NULL,
	"name" varchar(100) NOT NULL,
	"role" varchar(20) DEFAULT '乙方' NOT NULL,
	"credit_code" varchar(18) DEFAULT '' NOT NULL,
	"legal_person" varchar(50) DEFAULT '' NOT NULL,
	"contact_name" varchar(50) DEFAULT '' NOT NULL,
	"contact_phone" varchar(30) DEFAULT '' NOT NULL,
	"address" varchar(200) DEFAULT '' NOT NULL,
	"bank_name" varchar(100) DEFAULT '' NOT NULL,
	"bank_account" varchar(50) DEFAULT '' NOT NULL,
	CONSTRAINT "contract_side_no" UNIQUE("contract_id","no"),
	CONSTRAINT "contract_side_once" UNIQUE("contract_id","party_id"),
	CONSTRAINT "contract_side_order" CHECK ("contract_side"."no" between 1 and 5)
);

CREATE TABLE "contract" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contract_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer NOT NULL,
	"ticket_id" integer,
	"act_state" smallint DEFAULT 0 NOT NULL,
	"is_refused" boolean DEFAULT false NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	"name" varchar(120) NOT NULL,
	"contract_no" varchar(40) DEFAULT '' NOT NULL,
	"stage" smallint DEFAULT 10 NOT NULL,
	"category_id" integer NOT NULL,
	"nature" smallint DEFAULT 1 NOT NULL,
	"parent_id" integer,
	"pay_direction" smallint DEFAULT 1 NOT NULL,
	"party_words" varchar(600) DEFAULT '' NOT NULL,
	"our_party" varchar(100) NOT NULL,
	"amount" numeric(16, 2) DEFAULT 0 NOT NULL,
	"currency" varchar(3) DEFAULT 'CNY' NOT NULL,
	"tax_rate" numeric(5, 2),
	"amount_cap" numeric(16, 2),
	"fund_source" varchar(100) DEFAULT '' NOT NULL,
	"purchase_mode" smallint,
	"bid_no" varchar(50) DEFAULT '' NOT NULL,
	"undertaker" integer NOT NULL,
	"manage_dept" integer,
	"start_date" date,
	"end_date" date,
	"renewal" smallint DEFAULT 0 NOT NULL,
	"renewal_months" smallint,
	"notice_days" smallint,
	"remind_days" integer[] DEFAULT '{30,15,7,1}' NOT NULL,
	"deposit" numeric(16, 2),
	"warranty_end" date,
	"dispute" smallint,
	"text_mode" smallint DEFAULT 2 NOT NULL,
	"template_version_id" integer,
	"content" text DEFAULT '' NOT NULL,
	"text_values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"file_id" integer,
	"text_version" integer DEFAULT 0 NOT NULL,
	"is_standard_text" boolean DEFAULT false NOT NULL,
	"attachment_ids" integer[] DEFAULT '{}' NOT NULL,
	"need_legal" boolean DEFAULT false NOT NULL,
	"step" smallint DEFAULT 0 NOT NULL,
	"risk_level" smallint,
	"legal_opinion" text DEFAULT '' NOT NULL,
	"plans" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"approved_at" timestamp with time zone,
	"final_file_id" integer,
	"sign_date" date,
	"signed_by" integer,
	"signed_file_id" integer,
	"authority" smallint,
	"authority_file_id" integer,
	"party_signed" boolean DEFAULT false NOT NULL,
	"copies_total" smallint,
	"copies_kept" smallint,
	"keeper" integer,
	"effective_date" date,
	"stamp_application_id" integer,
	"paid" numeric(16, 2) DEFAULT 0 NOT NULL,
	"refunded" numeric(16, 2) DEFAULT 0 NOT NULL,
	"reduced" numeric(16, 2) DEFAULT 0 NOT NULL,
	"term_no" smallint,
	"term_end" date,
	"backdated" boolean DEFAULT false NOT NULL,
	"late_signed" boolean DEFAULT false NOT NULL,
	"open_disputes" smallint DEFAULT 0 NOT NULL,
	"suspended_on" date,
	"ended_on" date,
	"archive_no" varchar(40) DEFAULT '' NOT NULL,
	"archive_location" varchar(100) DEFAULT '' NOT NULL,
	"retention" varchar(20) DEFAULT '' NOT NULL,
	"archived_at" timestamp with time zone,
	"packed_file_id" integer,
	"imported" boolean DEFAULT false NOT NULL,
	CONSTRAINT "contract_ticket_id_unique" UNIQUE("ticket_id"),
	CONSTRAINT "contract_amount" CHECK ("contract"."amount" >= 0),
	CONSTRAINT "contract_cap" CHECK ("contract"."amount_cap" >= 0),
	CONSTRAINT "contract_deposit" CHECK ("contract"."deposit" >= 0),
	CONSTRAINT "contract_reduced" CHECK ("contract"."reduced" between 0 and "contract"."amount"),
	CONSTRAINT "contract_stages" CHECK ("contract"."stage" in (10, 20, 30, 40, 50, 60, 70, 80, 90)),
	CONSTRAINT "contract_natures" CHECK ("contract"."nature" between 1 and 3),
	CONSTRAINT "contract_ends" CHECK ("contract"."end_date" >= "contract"."start_date"),
	CONSTRAINT "contract_supplement_of" CHECK ("contract"."nature" <> 3 or "contract"."parent_id" is not null),
	CONSTRAINT "contract_not_itself" CHECK ("contract"."parent_id" <> "contract"."id"),
	CONSTRAINT "contract_signed" CHECK ("contract"."stage" not in (30, 40, 50, 70) or "contract"."sign_date" is not null),
	CONSTRAINT "contract_numbered" CHECK ("contract"."stage" in (10, 90) or "contract"."contract_no" <> ''),
	CONSTRAINT "contract_disputes" CHECK ("contract"."open_disputes" >= 0 and ("contract"."stage" <> 80 or "contract"."open_disputes" = 0)),
	CONSTRAINT "contract_renews" CHECK ("contract"."renewal" <> 1 or "contract"."renewal_months" between 1 and 120)
);

CREATE TABLE "contract_template" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contract_template_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"name" varchar(60) NOT NULL,
	"category_id" integer NOT NULL,
	"status" smallint DEFAULT 0 NOT NULL,
	"version_no" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "contract_template_status" CHECK ("contract_template"."status" between 0 and 2)
);

CREATE TABLE "contract_template_version" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contract_template_version_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"template_id" integer NOT NULL,
	"no" integer NOT NULL,
	"content" text NOT NULL,
	"variables" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"sha256" char(64) NOT NULL,
	"change_log" varchar(300) DEFAULT '' NOT NULL,
	"effective_date" date,
	"creator_id" integer,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contract_template_version_no" UNIQUE("template_id","no")
);

CREATE TABLE "contract_term" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contract_term_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"contract_id" integer NOT NULL,
	"no" smallint NOT NULL,
	"start_date" date NOT NULL,
	"end_date" date,
	"notice_date" date,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contract_term_no" UNIQUE("contract_id","no"),
	CONSTRAINT "contract_term_ends" CHECK ("contract_term"."end_date" >= "contract_term"."start_date")
);

CREATE TABLE "contract_text" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "contract_text_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"contract_id" integer NOT NULL,
	"no" integer NOT NULL,
	"html" text DEFAULT '' NOT NULL,
	"file_id" integer,
	"sha256" char(64) NOT NULL,
	"standard" boolean NOT NULL,
	"locked_kept" boolean NOT NULL,
	"template_version_id" integer,
	"creator_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contract_text_no" UNIQUE("contract_id","no"),
	CONSTRAINT "contract_text_something" CHECK (("contract_text"."html" <> '') <> ("contract_text"."file_id" is not null))
);

CREATE TABLE "live_cursor" (
	"person_id" integer PRIMARY KEY NOT NULL,
	"at" bigint NOT NULL,
	"moved_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

CREATE TABLE "stamp_custody" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stamp_custody_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"stamp_id" integer NOT NULL,
	"kind" smallint NOT NULL,
	"state" smallint NOT NULL,
	"from_id" integer,
	"to_id" integer,
	"from_time" timestamp with time zone DEFAULT now() NOT NULL,
	"until" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"during" "tstzrange" GENERATED ALWAYS AS (tstzrange(from_time, case when ended_at is null then until else greatest(from_time, least(until, ended_at)) end)) STORED,
	"backup_id" integer,
	"supervisor_id" integer,
	"reason" varchar(300) DEFAULT '' NOT NULL,
	"witness_ids" integer[] DEFAULT '{}' NOT NULL,
	"signed" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"creator_id" integer NOT NULL,
	"decided_at" timestamp with time zone,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stamp_custody_kind" CHECK ("stamp_custody"."kind" between 1 and 14),
	CONSTRAINT "stamp_custody_state" CHECK ("stamp_custody"."state" between 0 and 3),
	CONSTRAINT "stamp_custody_decided" CHECK (("stamp_custody"."state" = 0) = ("stamp_custody"."decided_at" is null)),
	CONSTRAINT "stamp_custody_given" CHECK ("stamp_custody"."kind" not in (2, 3) or ("stamp_custody"."to_id" is not null and "stamp_custody"."to_id" <> "stamp_custody"."from_id")),
	CONSTRAINT "stamp_custody_period" CHECK (("stamp_custody"."kind" = 3) = ("stamp_custody"."until" is not null) and "stamp_custody"."until" > "stamp_custody"."from_time" and "stamp_custody"."until" <= "stamp_custody"."from_time" + interval '15 days'),
	CONSTRAINT "stamp_custody_witnesses" CHECK ("stamp_custody"."kind" not in (11, 12) or cardinality("stamp_custody"."witness_ids") = 2)
);

CREATE TABLE "custom_notice" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "custom_notice_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" varchar(50) NOT NULL,
	"description" varchar(200) DEFAULT '' NOT NULL,
	"type_id" smallint NOT NULL,
	"hook_url" varchar(500) DEFAULT '' NOT NULL,
	"corpid" varchar(100) DEFAULT '' NOT NULL,
	"appkey" varchar(100) DEFAULT '' NOT NULL,
	"agent_id" varchar(100) DEFAULT '' NOT NULL,
	"card_decides" smallint DEFAULT 0 NOT NULL,
	"hook_token" text DEFAULT '' NOT NULL,
	"corpsecret" text DEFAULT '' NOT NULL,
	"appsecret" text DEFAULT '' NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "custom_notice_type_known" CHECK ("custom_notice"."type_id" between 1 and 10),
	CONSTRAINT "custom_notice_card_decides" CHECK ("custom_notice"."card_decides" = 0 or ("custom_notice"."card_decides" in (1, 2) and "custom_notice"."type_id" between 8 and 10)),
	CONSTRAINT "custom_notice_status_known" CHECK ("custom_notice"."status" in (0, 1))
);

CREATE TABLE "customer" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "customer_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"creator_id" integer NOT NULL,
	"name" varchar(100) NOT NULL,
	"plain_name" varchar(100) GENERATED ALWAYS AS (lower(regexp_replace(normalize(translate(name, '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g'))) STORED NOT NULL,
	"code" varchar(30) DEFAULT '' NOT NULL,
	"credit_code" varchar(18) DEFAULT '' NOT NULL,
	"type" smallint NOT NULL,
	"industry" varchar(50) DEFAULT '' NOT NULL,
	"level" smallint NOT NULL,
	"source" varchar(50) DEFAULT '' NOT NULL,
	"owner" integer NOT NULL,
	"dept_id" integer NOT NULL,
	"phone" varchar(30) DEFAULT '' NOT NULL,
	"website" varchar(200) DEFAULT '' NOT NULL,
	"address" varchar(200) DEFAULT '' NOT NULL,
	"status" smallint NOT NULL,
	"invoice_title" varchar(100) DEFAULT '' NOT NULL,
	"tax_no" varchar(20) DEFAULT '' NOT NULL,
	"invoice_bank" varchar(100) DEFAULT '' NOT NULL,
	"invoice_account" varchar(50) DEFAULT '' NOT NULL,
	"invoice_address" varchar(200) DEFAULT '' NOT NULL,
	"invoice_phone" varchar(30) DEFAULT '' NOT NULL,
	"tags" varchar(20)[] DEFAULT '{}' NOT NULL,
	"remark" varchar(1000) DEFAULT '' NOT NULL,
	"follow_days" smallint NOT NULL,
	"last_contact_at" timestamp with time zone,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "customer_kinds" CHECK ("customer"."type" between 1 and 4 and "customer"."level" between 1 and 3 and "customer"."status" between 1 and 4),
	CONSTRAINT "customer_named" CHECK ("customer"."plain_name" <> ''),
	CONSTRAINT "customer_website" CHECK ("customer"."website" = '' or "customer"."website" ~ '^https?://'),
	CONSTRAINT "customer_follow" CHECK ("customer"."follow_days" between 0 and 730)
);

CREATE TABLE "database_history" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "database_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"mark" uuid NOT NULL,
	"epoch" uuid NOT NULL,
	"system" varchar(20) NOT NULL,
	"timeline" integer NOT NULL,
	"replaces" uuid,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "database_history_mark_unique" UNIQUE("mark"),
	CONSTRAINT "database_history_accepted" CHECK ("database_history"."replaces" is null or "database_history"."epoch" = "database_history"."mark")
);

CREATE TABLE "meet_decision" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meet_decision_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"meet_id" integer NOT NULL,
	"minutes_no" smallint NOT NULL,
	"no" smallint NOT NULL,
	"content" varchar(500) NOT NULL,
	"dept_id" integer,
	"owner_id" integer,
	"due_at" timestamp with time zone,
	CONSTRAINT "meet_decision_no" UNIQUE("meet_id","minutes_no","no")
);

CREATE TABLE "delivery" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "delivery_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"channel" varchar(10) NOT NULL,
	"target" varchar(1000) NOT NULL,
	"title" varchar(200) NOT NULL,
	"body" jsonb NOT NULL,
	"key" varchar(100) NOT NULL,
	"module" varchar(32) DEFAULT '' NOT NULL,
	"object_id" integer,
	"user_id" integer,
	"state" varchar(10) DEFAULT 'waiting' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"provider_id" varchar(300),
	"answer" text DEFAULT '' NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "delivery_key_unique" UNIQUE("key"),
	CONSTRAINT "delivery_key_plain" CHECK ("delivery"."key" ~ '^[ -~]+$'),
	CONSTRAINT "delivery_state_known" CHECK ("delivery"."state" in ('waiting', 'sent', 'retrying', 'given_up', 'cancelled'))
);

CREATE TABLE "delivery_try" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "delivery_try_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"delivery_id" integer NOT NULL,
	"number" integer NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	"done" boolean,
	"answer" text DEFAULT '' NOT NULL,
	CONSTRAINT "delivery_try_number" UNIQUE("delivery_id","number")
);

CREATE TABLE "dept_person" (
	"dept_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"part" varchar(10) NOT NULL,
	"order_id" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "dept_person_dept_id_user_id_part_pk" PRIMARY KEY("dept_id","user_id","part"),
	CONSTRAINT "dept_person_part" CHECK ("dept_person"."part" in ('leader', 'approver', 'dept_ld', 'secretary'))
);

CREATE TABLE "dept" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "dept_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"name" varchar(50) NOT NULL,
	"code" varchar(30),
	"parent_id" integer,
	"type" smallint DEFAULT 1 NOT NULL,
	"phone" varchar(30) DEFAULT '' NOT NULL,
	"order_id" integer DEFAULT 0 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"label" text DEFAULT '' NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "dept_type" CHECK ("dept"."type" between 1 and 4),
	CONSTRAINT "dept_not_own_parent" CHECK ("dept"."parent_id" <> "dept"."id")
);

CREATE TABLE "sign_in_device" (
	"user_id" integer NOT NULL,
	"mark" char(64) NOT NULL,
	"last_used" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sign_in_device_user_id_mark_pk" PRIMARY KEY("user_id","mark")
);

CREATE TABLE "document_dist_event" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_dist_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"dist_id" integer NOT NULL,
	"document_id" integer NOT NULL,
	"kind" varchar(10) NOT NULL,
	"actor_id" integer NOT NULL,
	"people" integer DEFAULT 1 NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "document_dist_event_kind" CHECK ("document_dist_event"."kind" in ('distribute', 'urge', 'reply', 'recall'))
);

CREATE TABLE "document_dist" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_dist_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"document_id" integer NOT NULL,
	"sender_id" integer NOT NULL,
	"sender_dept" integer,
	"note" varchar(200) DEFAULT '' NOT NULL,
	"need_receipt" boolean DEFAULT false NOT NULL,
	"sms" boolean DEFAULT false NOT NULL,
	"deadline" timestamp with time zone,
	"recalled_at" timestamp with time zone,
	"recalled_by" integer,
	"total" integer DEFAULT 0 NOT NULL,
	"read" integer DEFAULT 0 NOT NULL,
	"replied" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "document_dist_counts" CHECK ("document_dist"."replied" between 0 and "document_dist"."read" and "document_dist"."read" <= "document_dist"."total"),
	CONSTRAINT "document_dist_recalled" CHECK (("document_dist"."recalled_at" is null) = ("document_dist"."recalled_by" is null))
);

CREATE TABLE "document_dist_user" (
	"dist_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"document_id" integer NOT NULL,
	"dept_id" integer,
	"source" smallint NOT NULL,
	"state" smallint DEFAULT 0 NOT NULL,
	"read_time" timestamp with time zone,
	"read_client" varchar(300) DEFAULT '' NOT NULL,
	"reply" text DEFAULT '' NOT NULL,
	"reply_time" timestamp with time zone,
	CONSTRAINT "document_dist_user_dist_id_user_id_pk" PRIMARY KEY("dist_id","user_id"),
	CONSTRAINT "document_dist_user_source" CHECK ("document_dist_user"."source" between 1 and 4),
	CONSTRAINT "document_dist_user_state" CHECK ("document_dist_user"."state" between 0 and 3),
	CONSTRAINT "document_dist_user_read" CHECK ("document_dist_user"."state" not in (1, 2) or "document_dist_user"."read_time" is not null),
	CONSTRAINT "document_dist_user_replied" CHECK (("document_dist_user"."reply" <> '') = ("document_dist_user"."reply_time" is not null))
);

CREATE TABLE "document_archive" (
	"document_id" integer PRIMARY KEY NOT NULL,
	"retention" smallint NOT NULL,
	"archive_no" varchar(60) NOT NULL,
	"archived_by" integer NOT NULL,
	"archived_at" timestamp with time zone DEFAULT now() NOT NULL,
	"final_sha256" char(64),
	"package_id" integer,
	CONSTRAINT "document_archive_retention" CHECK ("document_archive"."retention" between 1 and 3)
);

CREATE TABLE "document_body" (
	"sha256" char(64) PRIMARY KEY NOT NULL,
	"way" smallint NOT NULL,
	"words" text NOT NULL,
	"pages" integer,
	"losses" jsonb NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "document_body_way" CHECK ("document_body"."way" between 1 and 3)
);

CREATE TABLE "document_category" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_category_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"name" varchar(30) NOT NULL,
	"code" varchar(10) NOT NULL,
	"doc_kind" smallint NOT NULL,
	"parent" integer,
	"order_id" integer DEFAULT 0 NOT NULL,
	"workflow_id" integer,
	"number_rule_id" integer,
	"redhead_id" integer,
	"retention" smallint,
	"status" smallint DEFAULT 1 NOT NULL,
	CONSTRAINT "document_category_kind" CHECK ("document_category"."doc_kind" between 1 and 3),
	CONSTRAINT "document_category_retention" CHECK ("document_category"."retention" between 1 and 3),
	CONSTRAINT "document_category_status" CHECK ("document_category"."status" in (0, 1)),
	CONSTRAINT "document_category_not_own_parent" CHECK ("document_category"."parent" <> "document_category"."id")
);

CREATE TABLE "document_collect" (
	"user_id" integer NOT NULL,
	"document_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "document_collect_user_id_document_id_pk" PRIMARY KEY("user_id","document_id")
);

CREATE TABLE "document_edit" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_edit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"document_id" integer NOT NULL,
	"editor_id" integer NOT NULL,
	"sent_at" timestamp with time zone,
	"state" varchar(100) NOT NULL,
	"fields" jsonb NOT NULL,
	"body_html" text,
	"body_file" integer,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "document_edit_body_whole" CHECK ("document_edit"."body_file" is null or "document_edit"."body_html" is not null)
);

CREATE TABLE "document_exchange" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_exchange_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer,
	"direction" smallint NOT NULL,
	"document_id" integer,
	"title" varchar(200) NOT NULL,
	"number" varchar(60) DEFAULT '' NOT NULL,
	"org" varchar(100) NOT NULL,
	"exchanged_on" date NOT NULL,
	"copies" integer DEFAULT 1 NOT NULL,
	"way" smallint DEFAULT 2 NOT NULL,
	"remark" varchar(200) DEFAULT '' NOT NULL,
	"signed_by" varchar(30) DEFAULT '' NOT NULL,
	"signed_on" date,
	"returned_on" date,
	"return_reason" varchar(200) DEFAULT '' NOT NULL,
	CONSTRAINT "document_exchange_direction" CHECK ("document_exchange"."direction" in (1, 2)),
	CONSTRAINT "document_exchange_way" CHECK ("document_exchange"."way" between 1 and 5),
	CONSTRAINT "document_exchange_copies" CHECK ("document_exchange"."copies" between 1 and 9999),
	CONSTRAINT "document_exchange_named" CHECK ("document_exchange"."title" <> '' and "document_exchange"."org" <> ''),
	CONSTRAINT "document_exchange_signed" CHECK (("document_exchange"."signed_on" is null) = ("document_exchange"."signed_by" = '') and "document_exchange"."signed_on" >= "document_exchange"."exchanged_on"),
	CONSTRAINT "document_exchange_returned" CHECK (("document_exchange"."returned_on" is null) = ("document_exchange"."return_reason" = '') and "document_exchange"."returned_on" >= "document_exchange"."exchanged_on"
        and "document_exchange"."returned_on" >= "document_exchange"."signed_on")
);

CREATE TABLE "document_file" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_file_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"document_id" integer NOT NULL,
	"is_body" boolean NOT NULL,
	"version_no" integer DEFAULT 1 NOT NULL,
	"file_id" integer NOT NULL,
	"removed_at" timestamp with time zone,
	"lock_id" varchar(1024),
	"locked_by" integer,
	"lock_until" timestamp with time zone,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "document_file_version" CHECK ("document_file"."version_no" > 0),
	CONSTRAINT "document_file_lock_whole" CHECK (("document_file"."lock_id" is null) = ("document_file"."locked_by" is null) and ("document_file"."lock_id" is null) = ("document_file"."lock_until" is null))
);

CREATE TABLE "document_file_version" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_file_version_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"document_file_id" integer NOT NULL,
	"version_no" integer NOT NULL,
	"file_id" integer NOT NULL,
	"sha256" char(64) NOT NULL,
	"editor" integer NOT NULL,
	"reason" varchar(200) DEFAULT '' NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "document_file_version_no" CHECK ("document_file_version"."version_no" > 0)
);

CREATE TABLE "document_frozen" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_frozen_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"document_id" integer NOT NULL,
	"signer_id" integer,
	"title" varchar(200) NOT NULL,
	"body_html" text NOT NULL,
	"body_file" integer,
	"attachments" integer[] NOT NULL,
	"sha256" char(64) NOT NULL,
	"before" jsonb NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "document_level_log" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_level_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"document_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"before" smallint NOT NULL,
	"after" smallint NOT NULL,
	"reason" varchar(200) NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "document_level_log_levels" CHECK ("document_level_log"."before" <> "document_level_log"."after" and "document_level_log"."after" between 0 and 2)
);

CREATE TABLE "document_marked_paper" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_marked_paper_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"document_id" integer NOT NULL,
	"digest" char(64) NOT NULL,
	"file_id" integer NOT NULL,
	"pages" smallint NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "document_marked_paper_pages" CHECK ("document_marked_paper"."pages" > 0)
);

CREATE TABLE "document_notice_read" (
	"notice_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"read_time" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "document_notice_read_notice_id_user_id_pk" PRIMARY KEY("notice_id","user_id")
);

CREATE TABLE "document_notice" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_notice_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer,
	"title" varchar(100) NOT NULL,
	"content" text NOT NULL,
	"document_id" integer,
	"audience" text[] NOT NULL,
	"top" boolean DEFAULT false NOT NULL,
	"need_receipt" boolean DEFAULT false NOT NULL,
	"publish_at" timestamp with time zone NOT NULL,
	"expire_at" timestamp with time zone,
	"total" integer DEFAULT 0 NOT NULL,
	"read" integer DEFAULT 0 NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "document_notice_audience" CHECK (array_to_string("document_notice"."audience", ' ') ~ '^(a0|[dru][1-9][0-9]*( [dru][1-9][0-9]*)*)$'),
	CONSTRAINT "document_notice_expires" CHECK ("document_notice"."expire_at" > "document_notice"."publish_at")
);

CREATE TABLE "document_record" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_record_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"document_id" integer NOT NULL,
	"task_no" integer NOT NULL,
	"sms_count" integer DEFAULT 0 NOT NULL,
	"last_sms_at" timestamp with time zone
);

CREATE TABLE "document_seal" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_seal_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"document_id" integer NOT NULL,
	"seq" integer NOT NULL,
	"facts" jsonb NOT NULL,
	"prev_hash" char(64),
	"hash" char(64) NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "document_stroke" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_stroke_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"paper_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"page" smallint NOT NULL,
	"ink" smallint NOT NULL,
	"points" smallint[] NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "document_stroke_ink" CHECK ("document_stroke"."ink" between 1 and 3),
	CONSTRAINT "document_stroke_points" CHECK (cardinality("document_stroke"."points") between 2 and 4000 and cardinality("document_stroke"."points") % 2 = 0
        and array_position("document_stroke"."points", null) is null and 0 <= all ("document_stroke"."points"))
);

CREATE TABLE "document" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "document_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer,
	"ticket_id" integer,
	"act_state" smallint DEFAULT 0 NOT NULL,
	"is_refused" boolean DEFAULT false NOT NULL,
	"submitted_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"approved" boolean DEFAULT false NOT NULL,
	"is_void" boolean DEFAULT false NOT NULL,
	"issued" boolean DEFAULT false NOT NULL,
	"given_at" timestamp with time zone,
	"doc_kind" smallint NOT NULL,
	"category_id" integer,
	"doc_type" smallint DEFAULT 99 NOT NULL,
	"title" varchar(200) NOT NULL,
	"summary" varchar(500) DEFAULT '' NOT NULL,
	"keywords" varchar(100) DEFAULT '' NOT NULL,
	"number_rule_id" integer,
	"reserved_no" integer,
	"doc_number" varchar(60) DEFAULT '' NOT NULL,
	"receipt_no" varchar(30) DEFAULT '' NOT NULL,
	"from_org" varchar(100) DEFAULT '' NOT NULL,
	"from_number" varchar(60) DEFAULT '' NOT NULL,
	"received_date" date,
	"from_copies" integer,
	"level" smallint DEFAULT 0 NOT NULL,
	"secret_level" smallint DEFAULT 0 NOT NULL,
	"secret_period" varchar(10) DEFAULT '' NOT NULL,
	"copy_no" varchar(6) DEFAULT '' NOT NULL,
	"publicity" smallint,
	"publicity_reason" varchar(200) DEFAULT '' NOT NULL,
	"issue_org" varchar(100) DEFAULT '' NOT NULL,
	"joint_orgs" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"joint_issuers" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"main_send" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"copy_send" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"leader_assigned" boolean DEFAULT false NOT NULL,
	"issuer" integer,
	"sign_date" date,
	"body_html" text DEFAULT '' NOT NULL,
	"body_file" integer,
	"redhead_id" integer,
	"final_file" integer,
	"final_frozen" boolean DEFAULT false NOT NULL,
	"attachments" integer[] DEFAULT '{}' NOT NULL,
	"written_date" date,
	"annotation" varchar(200) DEFAULT '' NOT NULL,
	"contact_name" varchar(20) DEFAULT '' NOT NULL,
	"contact_phone" varchar(20) DEFAULT '' NOT NULL,
	"print_org" varchar(100) DEFAULT '' NOT NULL,
	"print_date" date,
	"print_copies" integer,
	"due_at" timestamp with time zone,
	"due_asked" timestamp with time zone,
	"meant" text[] DEFAULT '{}' NOT NULL,
	"lead_dept" integer,
	"co_depts" integer[] DEFAULT '{}' NOT NULL,
	"propose_opinion" text DEFAULT '' NOT NULL,
	"leader_opinion" text DEFAULT '' NOT NULL,
	"handle_result" text DEFAULT '' NOT NULL,
	"reply_to_id" integer,
	"answer_note" varchar(500) DEFAULT '' NOT NULL,
	"body_sha256" char(64),
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "document_kind" CHECK ("document"."doc_kind" between 1 and 3),
	CONSTRAINT "document_type" CHECK ("document"."doc_type" between 1 and 15 or "document"."doc_type" = 99),
	CONSTRAINT "document_act_state" CHECK ("document"."act_state" between 0 and 6),
	CONSTRAINT "document_level" CHECK ("document"."level" between 0 and 2),
	CONSTRAINT "document_secret_level" CHECK ("document"."secret_level" between 0 and 3),
	CONSTRAINT "document_secret_whole" CHECK ("document"."secret_level" = 0 or ("document"."secret_period" <> '' and "document"."copy_no" ~ '^[0-9]{6}$')),
	CONSTRAINT "document_publicity" CHECK ("document"."publicity" between 1 and 3),
	CONSTRAINT "document_dates" CHECK ("document"."written_date" <= "document"."print_date"),
	CONSTRAINT "document_issued" CHECK (not "document"."issued" or ("document"."act_state" = 1 and "document"."body_sha256" is not null and "document"."doc_number" <> '')),
	CONSTRAINT "document_print_copies" CHECK ("document"."print_copies" between 1 and 9999)
);

CREATE TABLE "meet_door" (
	"room_id" integer PRIMARY KEY NOT NULL,
	"code_hash" varchar(64) NOT NULL,
	"creator_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen" timestamp with time zone,
	CONSTRAINT "meet_door_code_hash_unique" UNIQUE("code_hash")
);

CREATE TABLE "draft" (
	"user_id" integer NOT NULL,
	"key" varchar(120) NOT NULL,
	"value" jsonb NOT NULL,
	"kept_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "draft_user_id_key_pk" PRIMARY KEY("user_id","key")
);

CREATE TABLE "monitor_due" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"next_at" timestamp with time zone NOT NULL,
	"lease_until" timestamp with time zone,
	"lease_no" bigint DEFAULT 0 NOT NULL,
	"lease_node" varchar(80),
	"avoid_node" varchar(80)
);

CREATE TABLE "duty_change" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "duty_change_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"shift_id" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"by" integer NOT NULL,
	"was" varchar(500) DEFAULT '' NOT NULL,
	"becomes" varchar(500) DEFAULT '' NOT NULL,
	"reason" varchar(200) DEFAULT '' NOT NULL
);

CREATE TABLE "duty_person" (
	"shift_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"post" smallint NOT NULL,
	"start_time" timestamp with time zone NOT NULL,
	"end_time" timestamp with time zone NOT NULL,
	"source" smallint DEFAULT 1 NOT NULL,
	"why" varchar(60) DEFAULT '' NOT NULL,
	"swap_id" integer,
	CONSTRAINT "duty_person_shift_id_user_id_pk" PRIMARY KEY("shift_id","user_id"),
	CONSTRAINT "duty_person_post" CHECK ("duty_person"."post" between 1 and 3 and "duty_person"."source" between 1 and 3)
);

CREATE TABLE "duty_entry" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "duty_entry_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"shift_id" integer NOT NULL,
	"by" integer NOT NULL,
	"kind" smallint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"content" varchar(2000) NOT NULL,
	"from" varchar(100) DEFAULT '' NOT NULL,
	"told" varchar(100) DEFAULT '' NOT NULL,
	"handled" boolean DEFAULT false NOT NULL,
	"urgent" boolean DEFAULT false NOT NULL,
	"files" integer[] DEFAULT '{}' NOT NULL,
	"late_reason" varchar(200) DEFAULT '' NOT NULL,
	"closes" integer,
	CONSTRAINT "duty_entry_closed" UNIQUE("closes")
);

CREATE TABLE "export" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "export_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"title" varchar(60) NOT NULL,
	"path" varchar(200) NOT NULL,
	"params" jsonb NOT NULL,
	"query" jsonb NOT NULL,
	"state" varchar(10) DEFAULT 'waiting' NOT NULL,
	"rows" integer NOT NULL,
	"written" integer DEFAULT 0 NOT NULL,
	"answer" varchar(300) DEFAULT '' NOT NULL,
	"file_id" integer,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "export_state" CHECK ("export"."state" in ('waiting', 'running', 'done', 'failed')),
	CONSTRAINT "export_over" CHECK (("export"."ended_at" is null) = ("export"."state" in ('waiting', 'running'))),
	CONSTRAINT "export_file" CHECK (("export"."file_id" is not null) = ("export"."state" = 'done'))
);

CREATE TABLE "feed" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "feed_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"name" varchar(30) NOT NULL,
	"keys" text[] NOT NULL,
	"titles" boolean DEFAULT false NOT NULL,
	"remind" smallint,
	"code_hash" char(64) NOT NULL,
	"content_hash" char(64),
	"changed_at" timestamp with time zone,
	"last_read_at" timestamp with time zone,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feed_remind" CHECK ("feed"."remind" in (5, 15, 30, 60, 1440)),
	CONSTRAINT "feed_keys" CHECK (cardinality("feed"."keys") > 0),
	CONSTRAINT "feed_content" CHECK (("feed"."content_hash" is null) = ("feed"."changed_at" is null))
);

CREATE TABLE "file" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "file_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" varchar(120) NOT NULL,
	"ext" varchar(10) NOT NULL,
	"mime" varchar(100) NOT NULL,
	"size" integer NOT NULL,
	"sha256" char(64) NOT NULL,
	"uploader_id" integer NOT NULL,
	"module" varchar(30) NOT NULL,
	"owner_module" varchar(30),
	"owner_id" varchar(50),
	"is_public" boolean DEFAULT false NOT NULL,
	"shot" jsonb,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "file_usage" (
	"id" integer PRIMARY KEY NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"told" smallint DEFAULT 0 NOT NULL
);

CREATE TABLE "meet_guest" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meet_guest_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"meet_id" integer NOT NULL,
	"name" varchar(30) NOT NULL,
	"org" varchar(60) DEFAULT '' NOT NULL,
	"mobile" text,
	"mobile_mark" char(64),
	"mobile_tail" char(4),
	"told_at" timestamp with time zone,
	"sign_time" timestamp with time zone,
	CONSTRAINT "meet_guest_once" UNIQUE("meet_id","mobile_mark"),
	CONSTRAINT "meet_guest_mobile" CHECK (num_nulls("meet_guest"."mobile", "meet_guest"."mobile_mark", "meet_guest"."mobile_tail") in (0, 3))
);

CREATE TABLE "duty_handover" (
	"shift_id" integer PRIMARY KEY NOT NULL,
	"by" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"note" varchar(500) DEFAULT '' NOT NULL,
	"signature" integer,
	"open" integer[] DEFAULT '{}' NOT NULL
);

CREATE TABLE "monitor_hour" (
	"project_id" integer NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"up_s" smallint DEFAULT 0 NOT NULL,
	"down_s" smallint DEFAULT 0 NOT NULL,
	"maintenance_s" smallint DEFAULT 0 NOT NULL,
	"unknown_s" smallint DEFAULT 0 NOT NULL,
	"probes" smallint DEFAULT 0 NOT NULL,
	"ms_sum" integer DEFAULT 0 NOT NULL,
	"ms_max" integer DEFAULT 0 NOT NULL,
	"hist" smallint[] NOT NULL,
	CONSTRAINT "monitor_hour_project_id_hour_pk" PRIMARY KEY("project_id","hour")
);

CREATE TABLE "idempotency_record" (
	"user_id" integer NOT NULL,
	"key" varchar(255) NOT NULL,
	"call" text NOT NULL,
	"fingerprint" char(64) NOT NULL,
	"answer" jsonb,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_record_user_id_key_pk" PRIMARY KEY("user_id","key")
);

CREATE TABLE "test_record_event" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "test_record_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"record_id" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"type" varchar(12) NOT NULL,
	"user_id" integer,
	"text" varchar(300) DEFAULT '' NOT NULL
);

CREATE TABLE "test_record" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "test_record_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"project_id" integer NOT NULL,
	"type" smallint NOT NULL,
	"start_time" timestamp with time zone NOT NULL,
	"end_time" timestamp with time zone,
	"reason" varchar(200) DEFAULT '' NOT NULL,
	"http_code" smallint,
	"state" smallint DEFAULT 0 NOT NULL,
	"claimed_by" integer,
	"claimed_name" varchar(50) DEFAULT '' NOT NULL,
	"claimed_at" timestamp with time zone,
	"handler" integer,
	"cause" smallint,
	"measure" text DEFAULT '' NOT NULL,
	"order_module" varchar(20),
	"order_id" integer,
	CONSTRAINT "test_record_times" CHECK ("test_record"."end_time" >= "test_record"."start_time"),
	CONSTRAINT "test_record_state_known" CHECK ("test_record"."state" in (0, 1, 2) and ("test_record"."state" = 0) = ("test_record"."end_time" is null)),
	CONSTRAINT "test_record_cause" CHECK ("test_record"."cause" in (1, 2, 3, 4, 5, 6, 9)),
	CONSTRAINT "test_record_handled" CHECK ("test_record"."state" <> 2 or ("test_record"."cause" is not null and "test_record"."handler" is not null))
);

CREATE TABLE "job_run" (
	"name" varchar(100) PRIMARY KEY NOT NULL,
	"title" varchar(100) NOT NULL,
	"every_seconds" integer,
	"started_at" timestamp with time zone NOT NULL,
	"ms" integer NOT NULL,
	"failed_at" timestamp with time zone,
	"failure" text
);

CREATE TABLE "door_key" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "door_key_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"number" varchar(20) NOT NULL,
	"place" varchar(50) NOT NULL,
	"keeper" integer NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL
);

CREATE TABLE "known_device" (
	"user_id" integer NOT NULL,
	"mark" char(64) NOT NULL,
	"session_version" integer NOT NULL,
	"last_used" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "known_device_user_id_mark_pk" PRIMARY KEY("user_id","mark")
);

CREATE TABLE "leader_seen" (
	"user_id" integer NOT NULL,
	"schedule_id" integer NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "leader_seen_user_id_schedule_id_pk" PRIMARY KEY("user_id","schedule_id")
);

CREATE TABLE "photo_like" (
	"photo_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	CONSTRAINT "photo_like_photo_id_user_id_pk" PRIMARY KEY("photo_id","user_id")
);

CREATE TABLE "stamp_line" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stamp_line_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"application_id" integer NOT NULL,
	"stamp_id" integer NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"state" smallint DEFAULT 0 NOT NULL,
	"day" date,
	"part" smallint,
	"reserved" boolean DEFAULT false NOT NULL,
	"pending" jsonb,
	"reason" varchar(300) DEFAULT '' NOT NULL,
	"done_at" timestamp with time zone,
	"done_by" integer,
	CONSTRAINT "stamp_line_once" UNIQUE("application_id","stamp_id"),
	CONSTRAINT "stamp_line_state" CHECK ("stamp_line"."state" between 0 and 6),
	CONSTRAINT "stamp_line_times" CHECK ("stamp_line"."times" between 1 and 999),
	CONSTRAINT "stamp_line_slot" CHECK (("stamp_line"."day" is null) = ("stamp_line"."part" is null) and "stamp_line"."part" in (1, 2)),
	CONSTRAINT "stamp_line_pending" CHECK ("stamp_line"."pending" is null or "stamp_line"."state" = 1)
);

CREATE TABLE "record_link" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "record_link_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"from_module" varchar(30) NOT NULL,
	"from_id" integer NOT NULL,
	"to_module" varchar(30) NOT NULL,
	"to_id" integer NOT NULL,
	"type" varchar(20) NOT NULL,
	"creator_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "record_link_not_itself" CHECK (("record_link"."from_module", "record_link"."from_id") <> ("record_link"."to_module", "record_link"."to_id"))
);

CREATE TABLE "key_loan" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "key_loan_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer,
	"ticket_id" integer,
	"act_state" smallint DEFAULT 0 NOT NULL,
	"is_refused" boolean DEFAULT false NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	"title" varchar(80) NOT NULL,
	"key_id" integer NOT NULL,
	"start_date" date NOT NULL,
	"due_date" date NOT NULL,
	"reason" varchar(200) NOT NULL,
	"taken_at" timestamp with time zone,
	"returned_at" timestamp with time zone,
	"status" smallint GENERATED ALWAYS AS (case when returned_at is not null then 3 when taken_at is not null then 2 when act_state in (4, 6) then 1 end) STORED,
	CONSTRAINT "key_loan_ticket_id_unique" UNIQUE("ticket_id"),
	CONSTRAINT "key_loan_days" CHECK ("key_loan"."start_date" <= "key_loan"."due_date"),
	CONSTRAINT "key_loan_way" CHECK ("key_loan"."returned_at" is null or ("key_loan"."taken_at" is not null and "key_loan"."taken_at" <= "key_loan"."returned_at")),
	CONSTRAINT "key_loan_approved" CHECK ("key_loan"."taken_at" is null or "key_loan"."act_state" in (4, 6))
);

CREATE TABLE "stamp_loan" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stamp_loan_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"line_id" integer NOT NULL,
	"stamp_id" integer NOT NULL,
	"escort_id" integer NOT NULL,
	"handed_by" integer NOT NULL,
	"out_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"pictures" integer[] DEFAULT '{}' NOT NULL,
	"signature" integer NOT NULL,
	"returned_at" timestamp with time zone,
	"returned_to" integer,
	"extend_until" timestamp with time zone,
	"extend_reason" varchar(300) DEFAULT '' NOT NULL,
	"extend_by" integer,
	CONSTRAINT "stamp_loan_line_id_unique" UNIQUE("line_id"),
	CONSTRAINT "stamp_loan_extend" CHECK ("stamp_loan"."extend_until" > "stamp_loan"."due_at")
);

CREATE TABLE "log_head" (
	"id" smallint PRIMARY KEY NOT NULL,
	"seal" bigint NOT NULL,
	"hash" char(64) NOT NULL
);

CREATE TABLE "log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" integer,
	"username" varchar(50) DEFAULT '' NOT NULL,
	"alias" varchar(30) DEFAULT '' NOT NULL,
	"module" varchar(30) NOT NULL,
	"action" varchar(100) NOT NULL,
	"object_type" varchar(50) DEFAULT '' NOT NULL,
	"object_id" varchar(50) DEFAULT '' NOT NULL,
	"title" text DEFAULT '' NOT NULL,
	"method" varchar(10) NOT NULL,
	"path" varchar(300) NOT NULL,
	"ip" varchar(45) NOT NULL,
	"ua" varchar(300) NOT NULL,
	"result" integer NOT NULL,
	"ms" integer NOT NULL,
	"diff" jsonb NOT NULL,
	"trace_id" varchar(64) NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	"content_hash" char(64),
	"seal" bigint,
	"prev_hash" char(64),
	"hash" char(64),
	"removed" smallint DEFAULT 0 NOT NULL,
	CONSTRAINT "log_seal_unique" UNIQUE("seal")
);

CREATE TABLE "meet" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meet_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer,
	"ticket_id" integer,
	"act_state" smallint DEFAULT 0 NOT NULL,
	"is_refused" boolean DEFAULT false NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	"title" varchar(100) NOT NULL,
	"type_id" smallint DEFAULT 4 NOT NULL,
	"mode" smallint DEFAULT 1 NOT NULL,
	"room_id" integer,
	"location" varchar(100) DEFAULT '' NOT NULL,
	"online_url" varchar(300) DEFAULT '' NOT NULL,
	"start_time" timestamp with time zone,
	"end_time" timestamp with time zone,
	"host_id" integer,
	"contact_id" integer,
	"contact_phone" varchar(30) DEFAULT '' NOT NULL,
	"recorder_id" integer,
	"audience" text[] DEFAULT '{}' NOT NULL,
	"observers" integer[] DEFAULT '{}' NOT NULL,
	"attend_count" integer DEFAULT 0 NOT NULL,
	"agenda" text DEFAULT '' NOT NULL,
	"requirements" varchar(500) DEFAULT '' NOT NULL,
	"materials" integer[] DEFAULT '{}' NOT NULL,
	"materials_acl" smallint DEFAULT 1 NOT NULL,
	"is_public" boolean DEFAULT false NOT NULL,
	"sign_mode" smallint DEFAULT 0 NOT NULL,
	"sign_before_min" smallint DEFAULT 30 NOT NULL,
	"late_after_min" smallint DEFAULT 5 NOT NULL,
	"remind" integer[] DEFAULT '{1440,30}' NOT NULL,
	"sms" boolean DEFAULT false NOT NULL,
	"notify" boolean DEFAULT true NOT NULL,
	"meet_status" smallint DEFAULT 0 NOT NULL,
	"cancel_reason" varchar(200) DEFAULT '' NOT NULL,
	"released" boolean DEFAULT false NOT NULL,
	"actual_start" timestamp with time zone,
	"actual_end" timestamp with time zone,
	"checked_in_at" timestamp with time zone,
	"checked_in_by" integer,
	"series_id" integer,
	"original_start" timestamp with time zone,
	"skipped" boolean DEFAULT false NOT NULL,
	"keep_asked_at" timestamp with time zone,
	"kept_at" timestamp with time zone,
	CONSTRAINT "meet_ticket_id_unique" UNIQUE("ticket_id"),
	CONSTRAINT "meet_date_once" UNIQUE("series_id","original_start"),
	CONSTRAINT "meet_type" CHECK ("meet"."type_id" in (1, 2, 3, 4, 5, 6, 9)),
	CONSTRAINT "meet_mode" CHECK ("meet"."mode" between 1 and 3),
	CONSTRAINT "meet_in_order" CHECK ("meet"."start_time" < "meet"."end_time"),
	CONSTRAINT "meet_status" CHECK ("meet"."meet_status" between 0 and 3),
	CONSTRAINT "meet_cancelled" CHECK (("meet"."meet_status" = 3) = ("meet"."cancel_reason" <> '')),
	CONSTRAINT "meet_released" CHECK (not "meet"."released" or "meet"."meet_status" = 3),
	CONSTRAINT "meet_skipped" CHECK (not "meet"."skipped" or "meet"."meet_status" = 3),
	CONSTRAINT "meet_sign" CHECK ("meet"."sign_mode" between 0 and 3),
	CONSTRAINT "meet_acl" CHECK ("meet"."materials_acl" in (1, 2)),
	CONSTRAINT "meet_of_series" CHECK (("meet"."series_id" is null) = ("meet"."original_start" is null)),
	CONSTRAINT "meet_whole" CHECK ("meet"."act_state" not in (1, 4) or num_nulls("meet"."start_time", "meet"."end_time", "meet"."host_id") = 0)
);

CREATE TABLE "menu_button" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "menu_button_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"menu_id" integer NOT NULL,
	"button_id" integer NOT NULL,
	"name" varchar(20) NOT NULL,
	"order_id" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "menu_button_unique" UNIQUE("menu_id","button_id")
);

CREATE TABLE "menu" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "menu_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"parent_id" integer,
	"name" varchar(30) NOT NULL,
	"web_path" varchar(200) NOT NULL,
	"component" varchar(100) DEFAULT '' NOT NULL,
	"icon" varchar(50) DEFAULT '' NOT NULL,
	"visible" boolean DEFAULT true NOT NULL,
	"order_id" integer DEFAULT 0 NOT NULL,
	"is_mobile" boolean DEFAULT false NOT NULL,
	"is_link" boolean DEFAULT false NOT NULL,
	"affix" boolean DEFAULT false NOT NULL,
	"meta" jsonb,
	"built_in" varchar(100),
	CONSTRAINT "menu_path_unique" UNIQUE NULLS NOT DISTINCT("parent_id","web_path"),
	CONSTRAINT "menu_built_in_unique" UNIQUE("built_in"),
	CONSTRAINT "menu_not_own_parent" CHECK ("menu"."parent_id" <> "menu"."id")
);

CREATE TABLE "msg_habit" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"quiet_from" varchar(5),
	"quiet_to" varchar(5),
	"digest" boolean DEFAULT true NOT NULL
);

CREATE TABLE "msg_preference" (
	"user_id" integer NOT NULL,
	"event" varchar(32) NOT NULL,
	"ways" varchar(10)[] NOT NULL,
	CONSTRAINT "msg_preference_user_id_event_pk" PRIMARY KEY("user_id","event")
);

CREATE TABLE "msg" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "msg_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"title" varchar(100) NOT NULL,
	"content" text NOT NULL,
	"type" smallint NOT NULL,
	"level" smallint DEFAULT 0 NOT NULL,
	"sender_id" integer,
	"module" varchar(32) DEFAULT '' NOT NULL,
	"object_id" integer,
	"event" varchar(32) DEFAULT '' NOT NULL,
	"occasion" varchar(32) DEFAULT '' NOT NULL,
	"web_path" varchar(300) DEFAULT '' NOT NULL,
	"need_receipt" boolean DEFAULT false NOT NULL,
	"publish_at" timestamp with time zone DEFAULT now() NOT NULL,
	"recall_at" timestamp with time zone,
	"total" integer DEFAULT 0 NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "msg_type" CHECK ("msg"."type" in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)),
	CONSTRAINT "msg_level" CHECK ("msg"."level" between 0 and 2)
);

CREATE TABLE "meet_minutes" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meet_minutes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"meet_id" integer NOT NULL,
	"no" smallint NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"file_id" integer,
	"state" smallint DEFAULT 1 NOT NULL,
	"writer_id" integer NOT NULL,
	"reason" varchar(200) DEFAULT '' NOT NULL,
	"confirmed_by" integer,
	"published_at" timestamp with time zone,
	CONSTRAINT "meet_minutes_no" UNIQUE("meet_id","no"),
	CONSTRAINT "meet_minutes_state" CHECK ("meet_minutes"."state" between 1 and 3),
	CONSTRAINT "meet_minutes_published" CHECK (("meet_minutes"."state" = 3) = ("meet_minutes"."published_at" is not null))
);

CREATE TABLE "folder_search_miss" (
	"word" varchar(50) NOT NULL,
	"day" date DEFAULT current_date NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "folder_search_miss_word_day_pk" PRIMARY KEY("word","day")
);

CREATE TABLE "monitor" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"type" smallint NOT NULL,
	"target" varchar(500) DEFAULT '' NOT NULL,
	"interval_s" integer DEFAULT 300 NOT NULL,
	"timeout_s" smallint DEFAULT 10 NOT NULL,
	"retries" smallint DEFAULT 2 NOT NULL,
	"retry_interval_s" integer DEFAULT 60 NOT NULL,
	"successes" smallint DEFAULT 2 NOT NULL,
	"accepted_codes" varchar(100) DEFAULT '200-299' NOT NULL,
	"keyword" varchar(200) DEFAULT '' NOT NULL,
	"ignore_tls" boolean DEFAULT false NOT NULL,
	"cert_warn_days" smallint[] DEFAULT '{14,7,3}' NOT NULL,
	"resend_every" smallint DEFAULT 0 NOT NULL,
	"max_alerts" smallint DEFAULT 5 NOT NULL,
	"depends_on" integer,
	"push_mark" varchar(64),
	"push_sealed" text,
	CONSTRAINT "monitor_type" CHECK ("monitor"."type" between 1 and 6),
	CONSTRAINT "monitor_interval" CHECK ("monitor"."interval_s" between 60 and 86400),
	CONSTRAINT "monitor_timeout" CHECK ("monitor"."timeout_s" between 1 and 60 and "monitor"."timeout_s" < "monitor"."interval_s"),
	CONSTRAINT "monitor_retries" CHECK ("monitor"."retries" between 0 and 10 and "monitor"."retry_interval_s" between 20 and 3600),
	CONSTRAINT "monitor_successes" CHECK ("monitor"."successes" between 1 and 10),
	CONSTRAINT "monitor_alerts" CHECK ("monitor"."max_alerts" between 1 and 100 and "monitor"."resend_every" between 0 and 1000),
	CONSTRAINT "monitor_target" CHECK (("monitor"."type" = 6) = ("monitor"."target" = '')),
	CONSTRAINT "monitor_keyword" CHECK ("monitor"."type" <> 2 or "monitor"."keyword" <> ''),
	CONSTRAINT "monitor_itself" CHECK ("monitor"."depends_on" <> "monitor"."project_id")
);

CREATE TABLE "monitor_node" (
	"node" varchar(80) PRIMARY KEY NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	"places" integer NOT NULL,
	"busy" integer DEFAULT 0 NOT NULL,
	"lag_ms" integer DEFAULT 0 NOT NULL,
	"pings" boolean DEFAULT false NOT NULL,
	"blind_since" timestamp with time zone
);

CREATE TABLE "number_book" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "number_book_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"rule_id" integer NOT NULL,
	"year" smallint NOT NULL,
	"seq" integer NOT NULL,
	"document_id" integer,
	"state" smallint DEFAULT 1 NOT NULL,
	"title" varchar(200) DEFAULT '' NOT NULL,
	"made_by" integer,
	"reason" varchar(200) DEFAULT '' NOT NULL,
	"voided_by" integer,
	"voided_at" timestamp with time zone,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "number_book_year" CHECK ("number_book"."year" between 2000 and 2999),
	CONSTRAINT "number_book_seq" CHECK ("number_book"."seq" > 0),
	CONSTRAINT "number_book_state" CHECK ("number_book"."state" between 1 and 4),
	CONSTRAINT "number_book_said" CHECK ("number_book"."state" = 1 or "number_book"."reason" <> ''),
	CONSTRAINT "number_book_voided" CHECK (("number_book"."state" = 3) = ("number_book"."voided_at" is not null)),
	CONSTRAINT "number_book_entered" CHECK ("number_book"."state" <> 4 or "number_book"."title" <> '')
);

CREATE TABLE "number_rule" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "number_rule_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"agency_code" varchar(20) NOT NULL,
	"scope" varchar(100) DEFAULT '' NOT NULL,
	"start_no" integer DEFAULT 1 NOT NULL,
	"style" smallint DEFAULT 1 NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	CONSTRAINT "number_rule_style" CHECK ("number_rule"."style" in (1, 2)),
	CONSTRAINT "number_rule_start" CHECK ("number_rule"."start_no" between 1 and 99999),
	CONSTRAINT "number_rule_status" CHECK ("number_rule"."status" in (0, 1))
);

CREATE TABLE "meet_office" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meet_office_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"name" varchar(30) NOT NULL,
	"dept_id" integer,
	"managers" integer[] DEFAULT '{}' NOT NULL,
	"phone" varchar(30) DEFAULT '' NOT NULL,
	"address" varchar(100) DEFAULT '' NOT NULL,
	"open_hours" jsonb DEFAULT '{"days":[1,2,3,4,5,6,7],"from":"07:00","to":"22:00","holidays":false}'::jsonb NOT NULL,
	"need_approve" boolean DEFAULT false NOT NULL,
	"min_ahead_min" integer DEFAULT 0 NOT NULL,
	"max_ahead_days" smallint DEFAULT 30 NOT NULL,
	"step_min" smallint DEFAULT 15 NOT NULL,
	"max_per_user_week" smallint,
	"rules_text" text DEFAULT '' NOT NULL,
	"order_id" integer DEFAULT 0 NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	CONSTRAINT "meet_office_kept" CHECK ("meet_office"."is_deleted" or "meet_office"."status" = 0 or cardinality("meet_office"."managers") > 0),
	CONSTRAINT "meet_office_status" CHECK ("meet_office"."status" in (0, 1)),
	CONSTRAINT "meet_office_step" CHECK ("meet_office"."step_min" in (5, 10, 15, 30, 60)),
	CONSTRAINT "meet_office_ahead" CHECK ("meet_office"."min_ahead_min" >= 0 and "meet_office"."max_ahead_days" >= 1)
);

CREATE TABLE "supervise_opinion" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "supervise_opinion_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"supervise_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"sub_id" integer,
	"type" smallint NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"author" integer NOT NULL,
	"at_users" integer[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "supervise_opinion_type" CHECK ("supervise_opinion"."type" between 1 and 4)
);

CREATE TABLE "order_asset" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_asset_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"name" varchar(50) NOT NULL,
	"building" varchar(50) DEFAULT '' NOT NULL,
	"floor" varchar(20) DEFAULT '' NOT NULL,
	"room" varchar(50) DEFAULT '' NOT NULL,
	"category_id" integer,
	"asset_no" varchar(50) DEFAULT '' NOT NULL,
	"note" varchar(200) DEFAULT '' NOT NULL,
	"code" char(16) NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "order_asset_code" UNIQUE("code")
);

CREATE TABLE "order_category" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_category_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"name" varchar(30) NOT NULL,
	"team_id" integer NOT NULL,
	"response_0" integer NOT NULL,
	"finish_0" integer NOT NULL,
	"response_1" integer NOT NULL,
	"finish_1" integer NOT NULL,
	"response_2" integer NOT NULL,
	"finish_2" integer NOT NULL,
	"is_always" boolean DEFAULT false NOT NULL,
	"auto_dispatch" boolean DEFAULT false NOT NULL,
	"photo_required" boolean DEFAULT false NOT NULL,
	"fee_limit" numeric(16, 2) NOT NULL,
	"for_visitors" boolean DEFAULT false NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL
);

CREATE TABLE "order_comment" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_comment_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"order_id" integer NOT NULL,
	"is_addition" boolean DEFAULT false NOT NULL,
	"user_id" integer,
	"score" smallint NOT NULL,
	"speed" smallint,
	"quality" smallint,
	"attitude" smallint,
	"content" varchar(500) DEFAULT '' NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_comment_once" UNIQUE("order_id","is_addition"),
	CONSTRAINT "order_comment_scores" CHECK (least("order_comment"."score", "order_comment"."speed", "order_comment"."quality", "order_comment"."attitude") >= 1 and greatest("order_comment"."score", "order_comment"."speed", "order_comment"."quality", "order_comment"."attitude") <= 5)
);

CREATE TABLE "order_event" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_event_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"order_id" integer NOT NULL,
	"kind" varchar(10) NOT NULL,
	"user_id" integer,
	"by_visitor" boolean DEFAULT false NOT NULL,
	"words" text DEFAULT '' NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "order_material" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "order_material_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"order_id" integer,
	"name" varchar(50) NOT NULL,
	"spec" varchar(50) DEFAULT '' NOT NULL,
	"qty" numeric(12, 2) NOT NULL,
	"price" numeric(16, 2) NOT NULL,
	"amount" numeric(16, 2) GENERATED ALWAYS AS (round(qty * price, 2)) STORED NOT NULL,
	"storno_of" integer,
	"user_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "order_material_storno" UNIQUE("storno_of"),
	CONSTRAINT "order_material_sign" CHECK (("order_material"."storno_of" is null) = ("order_material"."qty" > 0) and "order_material"."qty" <> 0)
);

CREATE TABLE "repair_order" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "repair_order_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"creator_id" integer,
	"dept_id" integer,
	"ticket_id" integer,
	"act_state" smallint DEFAULT 0 NOT NULL,
	"is_refused" boolean DEFAULT false NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	"sn" varchar(30) NOT NULL,
	"title" varchar(80) NOT NULL,
	"type_id" smallint DEFAULT 1 NOT NULL,
	"category_id" integer NOT NULL,
	"building" varchar(50) DEFAULT '' NOT NULL,
	"floor" varchar(20) DEFAULT '' NOT NULL,
	"room" varchar(50) DEFAULT '' NOT NULL,
	"place" varchar(100) DEFAULT '' NOT NULL,
	"asset_id" integer,
	"description" text DEFAULT '' NOT NULL,
	"photos" integer[] DEFAULT '{}' NOT NULL,
	"level" smallint DEFAULT 0 NOT NULL,
	"source" smallint DEFAULT 1 NOT NULL,
	"appoint_time" timestamp with time zone,
	"reporter_id" integer,
	"contact" varchar(20) DEFAULT '' NOT NULL,
	"phone_sealed" text DEFAULT '' NOT NULL,
	"phone_mark" varchar(64) DEFAULT '' NOT NULL,
	"phone_tail" varchar(4) DEFAULT '' NOT NULL,
	"team_id" integer,
	"handler_id" integer,
	"stage" smallint DEFAULT 0 NOT NULL,
	"state" smallint GENERATED ALWAYS AS (case when stage = 60 then 6 else act_state end) STORED NOT NULL,
	"limit_minutes" integer DEFAULT 0 NOT NULL,
	"used_minutes" integer DEFAULT 0 NOT NULL,
	"runs_since" timestamp with time zone,
	"sent_at" timestamp with time zone,
	"response_due" timestamp with time zone,
	"finish_due" timestamp with time zone,
	"rework_due" timestamp with time zone,
	"accept_at" timestamp with time zone,
	"finish_at" timestamp with time zone,
	"finish_met" boolean,
	"warn_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"over_at" timestamp with time zone,
	"next_at" timestamp with time zone,
	"result" text DEFAULT '' NOT NULL,
	"result_photos" integer[] DEFAULT '{}' NOT NULL,
	"fee" numeric(16, 2) DEFAULT 0 NOT NULL,
	"fee_state" smallint DEFAULT 0 NOT NULL,
	"fee_asked" numeric(16, 2) DEFAULT 0 NOT NULL,
	"hang_kind" smallint,
	"hang_reason" varchar(500) DEFAULT '' NOT NULL,
	"hang_until" timestamp with time zone,
	"reopen_count" integer DEFAULT 0 NOT NULL,
	"auto_confirmed" boolean DEFAULT false NOT NULL,
	"score" smallint,
	"added_score" smallint,
	"merged_into" integer,
	"incident_id" integer,
	CONSTRAINT "repair_order_ticket_id_unique" UNIQUE("ticket_id"),
	CONSTRAINT "repair_order_sn_unique" UNIQUE("sn"),
	CONSTRAINT "order_incident" UNIQUE("incident_id"),
	CONSTRAINT "order_stage" CHECK (("repair_order"."act_state" in (0, 2, 3) and "repair_order"."stage" = 0) or ("repair_order"."act_state" in (1, 6) and "repair_order"."stage" in (10, 20, 30, 40, 50, 60))
        or ("repair_order"."act_state" = 4 and "repair_order"."stage" in (70, 80)) or ("repair_order"."act_state" = 5 and "repair_order"."stage" = 90)),
	CONSTRAINT "order_hang" CHECK ("repair_order"."stage" <> 50 or ("repair_order"."hang_reason" <> '' and "repair_order"."hang_until" is not null)),
	CONSTRAINT "order_numbers" CHECK ("repair_order"."fee" >= 0 and "repair_order"."reopen_count" >= 0 and "repair_order"."score" between 1 and 5 and "repair_order"."added_score" between 1 and 5),
	CONSTRAINT "order_times" CHECK ("repair_order"."finish_at" >= "repair_order"."accept_at"),
	CONSTRAINT "order_merged" CHECK ("repair_order"."merged_into" is null or "repair_order"."act_state" = 5)
);

CREATE TABLE "photo_original" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "photo_original_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"photo_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"purpose" varchar(200) NOT NULL,
	"medium" varchar(50) DEFAULT '' NOT NULL,
	"state" smallint DEFAULT 0 NOT NULL,
	"was_state" smallint,
	"answer" varchar(200) DEFAULT '' NOT NULL,
	"decided_by" integer,
	"decided_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"used" smallint DEFAULT 0 NOT NULL,
	"allowed" smallint DEFAULT 5 NOT NULL,
	CONSTRAINT "photo_original_state" CHECK ("photo_original"."state" between 0 and 3 and ("photo_original"."was_state" is null or "photo_original"."was_state" in (0, 1) and "photo_original"."state" = 3)),
	CONSTRAINT "photo_original_used" CHECK ("photo_original"."used" between 0 and "photo_original"."allowed"),
	CONSTRAINT "photo_original_granted" CHECK (("photo_original"."state" <> 1) or "photo_original"."expires_at" is not null)
);

CREATE TABLE "folder_paper" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "folder_paper_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer NOT NULL,
	"ticket_id" integer,
	"act_state" smallint DEFAULT 0 NOT NULL,
	"is_refused" boolean DEFAULT false NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	"title" varchar(150) NOT NULL,
	"category_id" integer NOT NULL,
	"fwh" varchar(60) DEFAULT '' NOT NULL,
	"publish_date" date NOT NULL,
	"effective_date" date,
	"expire_date" date,
	"status" smallint DEFAULT 0 NOT NULL,
	"version_no" integer DEFAULT 1 NOT NULL,
	"replace_id" integer,
	"content" text DEFAULT '' NOT NULL,
	"file_id" integer,
	"attachment_ids" integer[] DEFAULT '{}' NOT NULL,
	"keywords" varchar(200) DEFAULT '' NOT NULL,
	"audience" text[] NOT NULL,
	"must_read" boolean DEFAULT false NOT NULL,
	"read_deadline" date,
	"quiz" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"source_document_id" integer,
	"top" boolean DEFAULT false NOT NULL,
	"published_at" timestamp with time zone,
	"repealed_at" timestamp with time zone,
	"repeal_reason" varchar(200),
	"repeal_date" date,
	"read_count" integer DEFAULT 0 NOT NULL,
	"confirm_count" integer DEFAULT 0 NOT NULL,
	"collect_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "folder_paper_ticket_id_unique" UNIQUE("ticket_id"),
	CONSTRAINT "folder_paper_one_revision" UNIQUE("replace_id"),
	CONSTRAINT "folder_paper_audience" CHECK (array_to_string("folder_paper"."audience", ' ') ~ '^(a0|[dru][1-9][0-9]*( [dru][1-9][0-9]*)*)$'),
	CONSTRAINT "folder_paper_status" CHECK ("folder_paper"."status" between 0 and 3),
	CONSTRAINT "folder_paper_not_itself" CHECK ("folder_paper"."replace_id" <> "folder_paper"."id"),
	CONSTRAINT "folder_paper_repealed" CHECK (("folder_paper"."status" = 3) = (num_nonnulls("folder_paper"."repeal_reason", "folder_paper"."repeal_date") = 2)),
	CONSTRAINT "folder_paper_expires" CHECK ("folder_paper"."expire_date" >= coalesce("folder_paper"."effective_date", "folder_paper"."publish_date"))
);

CREATE TABLE "password_history" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "password_history_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"password" varchar(200) NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "phone_code" (
	"target" varchar(100) NOT NULL,
	"scene" varchar(10) NOT NULL,
	"hash" char(64) NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used" boolean DEFAULT false NOT NULL,
	CONSTRAINT "phone_code_target_scene_pk" PRIMARY KEY("target","scene")
);

CREATE TABLE "photo" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "photo_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"category_id" integer NOT NULL,
	"file_id" integer NOT NULL,
	"title" varchar(80) NOT NULL,
	"description" varchar(500) DEFAULT '' NOT NULL,
	"place" varchar(60) DEFAULT '' NOT NULL,
	"photographer" varchar(30) DEFAULT '' NOT NULL,
	"uploader_id" integer NOT NULL,
	"dept_id" integer,
	"taken_at" timestamp with time zone,
	"taken_by_camera" boolean DEFAULT false NOT NULL,
	"shot_at" timestamp with time zone NOT NULL,
	"camera" varchar(60) DEFAULT '' NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"size" integer NOT NULL,
	"placeholder" varchar(60) NOT NULL,
	"source_sha256" char(64) NOT NULL,
	"phash" bigint NOT NULL,
	"alike_id" integer,
	"burst_id" integer,
	"faces" boolean DEFAULT false NOT NULL,
	"consent" smallint DEFAULT 0 NOT NULL,
	"consent_until" date,
	"state" smallint DEFAULT 0 NOT NULL,
	"reason" varchar(200) DEFAULT '' NOT NULL,
	"was_state" smallint,
	"was_reason" varchar(200) DEFAULT '' NOT NULL,
	"was_top" boolean DEFAULT false NOT NULL,
	"was_com" boolean DEFAULT false NOT NULL,
	"round" smallint DEFAULT 1 NOT NULL,
	"reviewer_id" integer,
	"reviewed_at" timestamp with time zone,
	"published_at" timestamp with time zone,
	"news" smallint DEFAULT 0 NOT NULL,
	"top_slot" smallint,
	"com_slot" smallint,
	"view_count" integer DEFAULT 0 NOT NULL,
	"like_count" integer DEFAULT 0 NOT NULL,
	"download_count" integer DEFAULT 0 NOT NULL,
	"deleted_at" timestamp with time zone,
	"deleted_by" integer,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "photo_file" UNIQUE("file_id"),
	CONSTRAINT "photo_state" CHECK ("photo"."state" between 0 and 3 and "photo"."was_state" between 0 and 3),
	CONSTRAINT "photo_reason" CHECK (("photo"."state" in (2, 3)) = ("photo"."reason" <> '')),
	CONSTRAINT "photo_top_slot" CHECK ("photo"."top_slot" between 1 and 5),
	CONSTRAINT "photo_com_slot" CHECK ("photo"."com_slot" between 1 and 30),
	CONSTRAINT "photo_slots" CHECK (num_nonnulls("photo"."top_slot", "photo"."com_slot") = 0 or ("photo"."state" = 1 and "photo"."deleted_at" is null)),
	CONSTRAINT "photo_consent" CHECK ("photo"."consent" between 0 and 3),
	CONSTRAINT "photo_deleted" CHECK (num_nonnulls("photo"."deleted_at", "photo"."deleted_by") in (0, 2))
);

CREATE TABLE "stamp_picture" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stamp_picture_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" smallint NOT NULL,
	"line_id" integer,
	"custody_id" integer,
	"file_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stamp_picture_file" UNIQUE("file_id"),
	CONSTRAINT "stamp_picture_kind" CHECK ("stamp_picture"."kind" between 1 and 5),
	CONSTRAINT "stamp_picture_of" CHECK (num_nonnulls("stamp_picture"."line_id", "stamp_picture"."custody_id") = 1)
);

CREATE TABLE "duty_plan" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "duty_plan_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"creator_id" integer,
	"dept_id" integer,
	"keeper_id" integer NOT NULL,
	"name" varchar(30) NOT NULL,
	"on_work" smallint DEFAULT 1 NOT NULL,
	"work_from" varchar(5) NOT NULL,
	"work_to" varchar(5) NOT NULL,
	"rest_from" varchar(5) NOT NULL,
	"rest_to" varchar(5) NOT NULL,
	"lead_need" smallint DEFAULT 0 NOT NULL,
	"lead" varchar(20)[] DEFAULT '{}' NOT NULL,
	"lead_weekly" boolean DEFAULT true NOT NULL,
	"staff_need" smallint DEFAULT 0 NOT NULL,
	"staff" varchar(20)[] DEFAULT '{}' NOT NULL,
	"backup_need" smallint DEFAULT 0 NOT NULL,
	"backup" varchar(20)[] DEFAULT '{}' NOT NULL,
	"phone" varchar(30) DEFAULT '' NOT NULL,
	"confirms" boolean DEFAULT true NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	CONSTRAINT "duty_plan_people" CHECK ("duty_plan"."is_deleted" or "duty_plan"."status" = 0 or "duty_plan"."lead_need" + "duty_plan"."staff_need" + "duty_plan"."backup_need" > 0),
	CONSTRAINT "duty_plan_status" CHECK ("duty_plan"."status" in (0, 1) and "duty_plan"."on_work" in (0, 1))
);

CREATE TABLE "supervise_plan" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "supervise_plan_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"supervise_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"sub_id" integer,
	"due_from" timestamp with time zone,
	"due_at" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	"by" integer NOT NULL
);

CREATE TABLE "preference" (
	"user_id" integer NOT NULL,
	"key" varchar(120) NOT NULL,
	"value" jsonb NOT NULL,
	CONSTRAINT "preference_user_id_key_pk" PRIMARY KEY("user_id","key")
);

CREATE TABLE "supervise_progress" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "supervise_progress_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"supervise_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"before" smallint DEFAULT 0 NOT NULL,
	"percent" smallint DEFAULT 0 NOT NULL,
	"check_state" smallint DEFAULT 0 NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"problem" text DEFAULT '' NOT NULL,
	"next_plan" text DEFAULT '' NOT NULL,
	"reason" text DEFAULT '' NOT NULL,
	"check_opinion" text DEFAULT '' NOT NULL,
	"stages" integer[] DEFAULT '{}' NOT NULL,
	"attachments" integer[] DEFAULT '{}' NOT NULL,
	"reporter_for" integer,
	"checker" integer,
	"checker_for" integer,
	"sub_id" integer NOT NULL,
	"is_finish" boolean DEFAULT false NOT NULL,
	"reporter" integer NOT NULL,
	"check_time" timestamp with time zone,
	"check_due" timestamp with time zone NOT NULL,
	CONSTRAINT "supervise_progress_percent" CHECK ("supervise_progress"."percent" between 0 and 100),
	CONSTRAINT "supervise_progress_checked" CHECK (("supervise_progress"."check_state" = 0) = ("supervise_progress"."check_time" is null))
);

CREATE TABLE "customer_project" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "customer_project_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"creator_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"name" varchar(100) NOT NULL,
	"plain_name" varchar(100) GENERATED ALWAYS AS (lower(regexp_replace(normalize(translate(name, '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g'))) STORED NOT NULL,
	"code" varchar(30) DEFAULT '' NOT NULL,
	"manager" integer NOT NULL,
	"members" integer[] DEFAULT '{}' NOT NULL,
	"contract_no" varchar(40) DEFAULT '' NOT NULL,
	"url" varchar(300) DEFAULT '' NOT NULL,
	"start_date" date,
	"end_date" date,
	"domain_expire" date,
	"status" smallint NOT NULL,
	"service_level" smallint NOT NULL,
	"sms_switch" boolean DEFAULT false NOT NULL,
	"alert_users" integer[] DEFAULT '{}' NOT NULL,
	"alert_contacts" integer[] DEFAULT '{}' NOT NULL,
	"remark" varchar(1000) DEFAULT '' NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "customer_project_of" UNIQUE("id","customer_id"),
	CONSTRAINT "customer_project_kinds" CHECK ("customer_project"."status" between 1 and 4 and "customer_project"."service_level" between 1 and 2),
	CONSTRAINT "customer_project_dates" CHECK ("customer_project"."end_date" >= "customer_project"."start_date")
);

CREATE TABLE "push_device" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "push_device_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"user_id" integer NOT NULL,
	"session_id" integer NOT NULL,
	"endpoint" varchar(500) NOT NULL,
	"p256dh" varchar(100) NOT NULL,
	"auth" varchar(200) NOT NULL,
	"refusals" smallint DEFAULT 0 NOT NULL,
	"refused_since" timestamp with time zone,
	CONSTRAINT "push_device_endpoint_unique" UNIQUE("endpoint")
);

CREATE TABLE "folder_read" (
	"user_id" integer NOT NULL,
	"paper_id" integer NOT NULL,
	"version_no" integer NOT NULL,
	"first_time" timestamp with time zone DEFAULT now() NOT NULL,
	"last_time" timestamp with time zone DEFAULT now() NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"confirmed_at" timestamp with time zone,
	CONSTRAINT "folder_read_paper_id_user_id_version_no_pk" PRIMARY KEY("paper_id","user_id","version_no")
);

CREATE TABLE "stamp_recall" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stamp_recall_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"application_id" integer NOT NULL,
	"copies" integer NOT NULL,
	"remark" varchar(300) DEFAULT '' NOT NULL,
	"taken_by" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stamp_recall_copies" CHECK ("stamp_recall"."copies" > 0)
);

CREATE TABLE "msg_user" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "msg_user_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"msg_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"publish_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_time" timestamp with time zone,
	"confirmed_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"told_with" integer[] DEFAULT '{}' NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL
);

CREATE TABLE "recovery_code" (
	"user_id" integer NOT NULL,
	"hash" char(64) NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "recovery_code_user_id_hash_pk" PRIMARY KEY("user_id","hash")
);

CREATE TABLE "redhead" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "redhead_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"name" varchar(30) NOT NULL,
	"org_line" varchar(60) DEFAULT '' NOT NULL,
	"print_org" varchar(100) DEFAULT '' NOT NULL,
	"colour" varchar(7) NOT NULL,
	"line_style" smallint DEFAULT 1 NOT NULL,
	"doc_types" smallint[] DEFAULT '{}' NOT NULL,
	"is_default" boolean DEFAULT false NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	CONSTRAINT "redhead_colour" CHECK ("redhead"."colour" ~ '^#[0-9a-f]{6}$'),
	CONSTRAINT "redhead_line" CHECK ("redhead"."line_style" between 1 and 3),
	CONSTRAINT "redhead_status" CHECK ("redhead"."status" in (0, 1)),
	CONSTRAINT "redhead_default_in_use" CHECK (not "redhead"."is_default" or "redhead"."status" = 1)
);

CREATE TABLE "log_refusal" (
	"who" varchar(60) NOT NULL,
	"call" varchar(150) NOT NULL,
	"result" integer NOT NULL,
	"entry" jsonb NOT NULL,
	"more" integer DEFAULT 0 NOT NULL,
	"first_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "log_refusal_who_call_result_pk" PRIMARY KEY("who","call","result")
);

CREATE TABLE "msg_reminder" (
	"module" varchar(32) NOT NULL,
	"event" varchar(32) NOT NULL,
	"object_id" integer NOT NULL,
	"due" date NOT NULL,
	"days" smallint NOT NULL,
	"user_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "msg_reminder_module_event_object_id_due_days_user_id_pk" PRIMARY KEY("module","event","object_id","due","days","user_id")
);

CREATE TABLE "monitor_report" (
	"customer_id" integer NOT NULL,
	"month" char(7) NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"state" smallint DEFAULT 0 NOT NULL,
	"note" varchar(1000) DEFAULT '' NOT NULL,
	"said" jsonb,
	"confirmed_by" integer,
	"confirmed_at" timestamp with time zone,
	CONSTRAINT "monitor_report_customer_id_month_pk" PRIMARY KEY("customer_id","month"),
	CONSTRAINT "monitor_report_whole" CHECK ("monitor_report"."state" in (0, 1) and num_nulls("monitor_report"."said", "monitor_report"."confirmed_by", "monitor_report"."confirmed_at") = case when "monitor_report"."state" = 1 then 0 else 3 end)
);

CREATE TABLE "supervise_request" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "supervise_request_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"supervise_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"apply_due" timestamp with time zone,
	"decided_at" timestamp with time zone,
	"to" integer,
	"by_for" integer,
	"decider" integer,
	"reason" text DEFAULT '' NOT NULL,
	"done_so_far" text DEFAULT '' NOT NULL,
	"opinion" text DEFAULT '' NOT NULL,
	"sub_id" integer NOT NULL,
	"kind" smallint NOT NULL,
	"state" smallint DEFAULT 1 NOT NULL,
	"attachments" integer[] DEFAULT '{}' NOT NULL,
	"by" integer NOT NULL,
	CONSTRAINT "supervise_request_kind" CHECK ("supervise_request"."kind" between 1 and 3 and "supervise_request"."state" between 1 and 5),
	CONSTRAINT "supervise_request_due" CHECK (("supervise_request"."kind" = 1) = ("supervise_request"."apply_due" is not null)),
	CONSTRAINT "supervise_request_decided" CHECK (case "supervise_request"."state" when 1 then "supervise_request"."decided_at" is null when 5 then true else "supervise_request"."decided_at" is not null end)
);

CREATE TABLE "role_menu_button" (
	"role_id" integer NOT NULL,
	"menu_button_id" integer NOT NULL,
	CONSTRAINT "role_menu_button_role_id_menu_button_id_pk" PRIMARY KEY("role_id","menu_button_id")
);

CREATE TABLE "role_menu" (
	"role_id" integer NOT NULL,
	"menu_id" integer NOT NULL,
	CONSTRAINT "role_menu_role_id_menu_id_pk" PRIMARY KEY("role_id","menu_id")
);

CREATE TABLE "role_scope_dept" (
	"role_id" integer NOT NULL,
	"dept_id" integer NOT NULL,
	CONSTRAINT "role_scope_dept_role_id_dept_id_pk" PRIMARY KEY("role_id","dept_id")
);

CREATE TABLE "role" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "role_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"name" varchar(30) NOT NULL,
	"code" varchar(30) NOT NULL,
	"description" varchar(200) DEFAULT '' NOT NULL,
	"data_scope" smallint DEFAULT 5 NOT NULL,
	"is_system" boolean DEFAULT false NOT NULL,
	"order_id" integer DEFAULT 0 NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "role_code_unique" UNIQUE("code"),
	CONSTRAINT "role_data_scope" CHECK ("role"."data_scope" between 1 and 5)
);

CREATE TABLE "meet_room" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meet_room_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"name" varchar(30) NOT NULL,
	"office_id" integer NOT NULL,
	"building" varchar(30) DEFAULT '' NOT NULL,
	"floor" varchar(10) DEFAULT '' NOT NULL,
	"room_no" varchar(20) DEFAULT '' NOT NULL,
	"capacity" smallint NOT NULL,
	"equipment" varchar(20)[] DEFAULT '{}' NOT NULL,
	"photos" integer[] DEFAULT '{}' NOT NULL,
	"managers" integer[] DEFAULT '{}' NOT NULL,
	"need_approve" smallint DEFAULT 0 NOT NULL,
	"min_minutes" integer DEFAULT 15 NOT NULL,
	"max_minutes" integer DEFAULT 480 NOT NULL,
	"buffer_minutes" smallint DEFAULT 0 NOT NULL,
	"checkin_required" boolean DEFAULT false NOT NULL,
	"auto_release_minutes" smallint,
	"allow_depts" integer[] DEFAULT '{}' NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	"order_id" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "meet_room_capacity" CHECK ("meet_room"."capacity" between 1 and 5000),
	CONSTRAINT "meet_room_minutes" CHECK ("meet_room"."min_minutes" between 5 and "meet_room"."max_minutes"),
	CONSTRAINT "meet_room_buffer" CHECK ("meet_room"."buffer_minutes" between 0 and 60),
	CONSTRAINT "meet_room_approve" CHECK ("meet_room"."need_approve" between 0 and 2),
	CONSTRAINT "meet_room_status" CHECK ("meet_room"."status" between 0 and 2),
	CONSTRAINT "meet_room_release" CHECK ("meet_room"."auto_release_minutes" is null or "meet_room"."checkin_required")
);

CREATE TABLE "workflow_schedule_run" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workflow_schedule_run_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"schedule_id" integer NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"missed" integer DEFAULT 0 NOT NULL,
	"outcome" varchar(10) NOT NULL,
	"message" varchar(300) DEFAULT '' NOT NULL,
	"ticket_id" integer,
	"asked" integer[] DEFAULT '{}' NOT NULL,
	"handled_at" timestamp with time zone,
	"handled_by" integer,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_schedule_run_outcome_known" CHECK ("workflow_schedule_run"."outcome" in ('started', 'skipped', 'failed')),
	CONSTRAINT "workflow_schedule_run_ticket" CHECK (("workflow_schedule_run"."outcome" = 'started') = ("workflow_schedule_run"."ticket_id" is not null))
);

CREATE TABLE "leader_schedule" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leader_schedule_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer,
	"ticket_id" integer,
	"act_state" smallint DEFAULT 0 NOT NULL,
	"is_refused" boolean DEFAULT false NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	"type_id" smallint DEFAULT 1 NOT NULL,
	"title" varchar(200) NOT NULL,
	"start_time" timestamp with time zone NOT NULL,
	"end_time" timestamp with time zone NOT NULL,
	"all_day" boolean DEFAULT false NOT NULL,
	"address" varchar(100) DEFAULT '' NOT NULL,
	"address_id" integer,
	"attend_type" smallint DEFAULT 2 NOT NULL,
	"contact_id" integer,
	"phone" varchar(30) DEFAULT '' NOT NULL,
	"participants" varchar(300) DEFAULT '' NOT NULL,
	"escort" integer[] DEFAULT '{}' NOT NULL,
	"need" varchar(10)[] DEFAULT '{}' NOT NULL,
	"materials" integer[] DEFAULT '{}' NOT NULL,
	"visibility" smallint DEFAULT 1 NOT NULL,
	"remind" integer[] DEFAULT '{}' NOT NULL,
	"remark" varchar(500) DEFAULT '' NOT NULL,
	"direct" boolean DEFAULT false NOT NULL,
	"forced_by" integer,
	"changed_at" timestamp with time zone,
	"cancelled_at" timestamp with time zone,
	"cancel_reason" varchar(200) DEFAULT '' NOT NULL,
	"source_module" varchar(30) DEFAULT '' NOT NULL,
	"source_id" integer,
	"source_path" varchar(200) DEFAULT '' NOT NULL,
	"acting_id" integer,
	"approvers" integer[] DEFAULT '{}' NOT NULL,
	"back_at" timestamp with time zone,
	"series_id" integer,
	CONSTRAINT "leader_schedule_ticket_id_unique" UNIQUE("ticket_id"),
	CONSTRAINT "leader_schedule_type" CHECK ("leader_schedule"."type_id" in (1, 3)),
	CONSTRAINT "leader_schedule_period" CHECK ("leader_schedule"."end_time" > "leader_schedule"."start_time"),
	CONSTRAINT "leader_schedule_attend" CHECK ("leader_schedule"."attend_type" between 1 and 9),
	CONSTRAINT "leader_schedule_visibility" CHECK ("leader_schedule"."visibility" between 1 and 3 and ("leader_schedule"."type_id" = 1 or "leader_schedule"."visibility" < 3)),
	CONSTRAINT "leader_schedule_private" CHECK ("leader_schedule"."visibility" < 3 or "leader_schedule"."direct" or "leader_schedule"."source_id" is not null),
	CONSTRAINT "leader_schedule_trip" CHECK ("leader_schedule"."type_id" = 3 or ("leader_schedule"."acting_id" is null and "leader_schedule"."back_at" is null)),
	CONSTRAINT "leader_schedule_back" CHECK ("leader_schedule"."back_at" >= "leader_schedule"."start_time"),
	CONSTRAINT "leader_schedule_remind" CHECK (5 <= all("leader_schedule"."remind") and 10080 >= all("leader_schedule"."remind") and cardinality("leader_schedule"."remind") <= 5
        and ("leader_schedule"."type_id" = 1 or cardinality("leader_schedule"."remind") = 0)),
	CONSTRAINT "leader_schedule_repeats" CHECK ("leader_schedule"."series_id" is null or ("leader_schedule"."type_id" = 1 and "leader_schedule"."source_id" is null))
);

CREATE TABLE "workflow_schedule" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workflow_schedule_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"workflow_id" integer NOT NULL,
	"creator_id" integer,
	"name" varchar(30) NOT NULL,
	"person_id" integer NOT NULL,
	"author_ids" integer[] DEFAULT '{}' NOT NULL,
	"every" smallint NOT NULL,
	"interval" smallint DEFAULT 1 NOT NULL,
	"weekdays" integer[] DEFAULT '{}' NOT NULL,
	"month_days" integer[] DEFAULT '{}' NOT NULL,
	"at_time" varchar(5) NOT NULL,
	"begins_on" date NOT NULL,
	"ends_on" date,
	"workdays_only" boolean DEFAULT false NOT NULL,
	"values" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	"next_at" timestamp with time zone,
	CONSTRAINT "workflow_schedule_every_known" CHECK ("workflow_schedule"."every" between 1 and 4 and "workflow_schedule"."interval" between 1 and 99),
	CONSTRAINT "workflow_schedule_status_known" CHECK ("workflow_schedule"."status" in (0, 1))
);

CREATE TABLE "photo_score" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "photo_score_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"photo_id" integer NOT NULL,
	"points" smallint NOT NULL,
	"reviewer_id" integer NOT NULL,
	"storno_of" integer,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "photo_score_storno_once" UNIQUE("storno_of")
);

CREATE TABLE "second_factor" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"secret" varchar(200) NOT NULL,
	"confirmed_at" timestamp with time zone,
	"last_step" bigint DEFAULT 0 NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "secretary" (
	"secretary_id" integer NOT NULL,
	"leader_id" integer NOT NULL,
	CONSTRAINT "secretary_secretary_id_leader_id_pk" PRIMARY KEY("secretary_id","leader_id")
);

CREATE TABLE "supervise_seen" (
	"supervise_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "supervise_seen_supervise_id_user_id_pk" PRIMARY KEY("supervise_id","user_id")
);

CREATE TABLE "sequence" (
	"scope" varchar(30) NOT NULL,
	"key" varchar(60) NOT NULL,
	"period" varchar(8) NOT NULL,
	"last_no" bigint NOT NULL,
	CONSTRAINT "sequence_scope_key_period_pk" PRIMARY KEY("scope","key","period")
);

CREATE TABLE "meet_series" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meet_series_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"creator_id" integer NOT NULL,
	"rule" varchar(300) NOT NULL,
	"skip_holidays" boolean DEFAULT false NOT NULL,
	"left_out" varchar(10)[] DEFAULT '{}' NOT NULL,
	"start_time" timestamp with time zone NOT NULL,
	"end_time" timestamp with time zone NOT NULL
);

CREATE TABLE "session" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "session_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"user_id" integer NOT NULL,
	"session_version" integer NOT NULL,
	"way" varchar(10) DEFAULT 'password' NOT NULL,
	"ip" varchar(45) NOT NULL,
	"ua" varchar(300) NOT NULL,
	"device" char(64),
	"second_step" varchar(10),
	"seeing_role" integer,
	"seeing_user" integer,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"last_seen" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "session_seeing" CHECK ("session"."seeing_role" is null or "session"."seeing_user" is null)
);

CREATE TABLE "setting" (
	"key" varchar(20) PRIMARY KEY NOT NULL,
	"value" jsonb NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "shared_view" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "shared_view_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"list" varchar(80) NOT NULL,
	"role_id" integer NOT NULL,
	"name" varchar(20) NOT NULL,
	"search" varchar(2000),
	"columns" jsonb,
	"creator_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "shared_view_one" CHECK (("shared_view"."search" is null) <> ("shared_view"."columns" is null))
);

CREATE TABLE "supervise_sheet" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "supervise_sheet_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"supervise_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"answer_by" timestamp with time zone,
	"received_at" timestamp with time zone,
	"content" text DEFAULT '' NOT NULL,
	"answer" text DEFAULT '' NOT NULL,
	"owner" integer NOT NULL,
	"issuer" integer NOT NULL,
	"sub_id" integer NOT NULL,
	"year" smallint NOT NULL,
	"seq" integer NOT NULL,
	"colour" smallint NOT NULL,
	"dept" integer NOT NULL,
	"received_by" integer,
	CONSTRAINT "supervise_sheet_colour" CHECK ("supervise_sheet"."colour" between 0 and 3)
);

CREATE TABLE "duty_shift" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "duty_shift_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"plan_id" integer NOT NULL,
	"day" date NOT NULL,
	"name" varchar(30) NOT NULL,
	"kind" smallint NOT NULL,
	"start_time" timestamp with time zone NOT NULL,
	"end_time" timestamp with time zone NOT NULL,
	"needs" smallint[] NOT NULL,
	"published_at" timestamp with time zone,
	"cancelled_at" timestamp with time zone,
	"taken_by" integer,
	"taken_at" timestamp with time zone,
	"taken_note" varchar(200) DEFAULT '' NOT NULL,
	"taken_signature" integer,
	"carried" integer[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "duty_shift_span" UNIQUE("id","start_time","end_time"),
	CONSTRAINT "duty_shift_period" CHECK ("duty_shift"."end_time" > "duty_shift"."start_time" and "duty_shift"."end_time" <= "duty_shift"."start_time" + interval '24 hours'),
	CONSTRAINT "duty_shift_kind" CHECK ("duty_shift"."kind" between 1 and 3 and cardinality("duty_shift"."needs") = 3),
	CONSTRAINT "duty_shift_cancelled" CHECK ("duty_shift"."cancelled_at" is null or ("duty_shift"."published_at" is not null and "duty_shift"."taken_at" is null)),
	CONSTRAINT "duty_shift_taken" CHECK (("duty_shift"."taken_at" is null) = ("duty_shift"."taken_by" is null))
);

CREATE TABLE "stamp_slot" (
	"stamp_id" integer NOT NULL,
	"day" date NOT NULL,
	"part" smallint NOT NULL,
	"taken" integer DEFAULT 0 NOT NULL,
	"capacity" integer NOT NULL,
	CONSTRAINT "stamp_slot_stamp_id_day_part_pk" PRIMARY KEY("stamp_id","day","part"),
	CONSTRAINT "stamp_slot_part" CHECK ("stamp_slot"."part" in (1, 2)),
	CONSTRAINT "stamp_slot_holds" CHECK ("stamp_slot"."taken" between 0 and "stamp_slot"."capacity")
);

CREATE TABLE "sms_batch" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_batch_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"sender_id" integer,
	"dept_id" integer,
	"template_id" integer,
	"content" varchar(500) NOT NULL,
	"type" smallint NOT NULL,
	"total" integer NOT NULL,
	"segments" integer NOT NULL,
	"send_at" timestamp with time zone,
	"state" smallint DEFAULT 1 NOT NULL,
	"released_by" integer,
	"released_at" timestamp with time zone,
	CONSTRAINT "sms_batch_state" CHECK ("sms_batch"."state" between 0 and 2),
	CONSTRAINT "sms_batch_second" CHECK ("sms_batch"."released_by" is null or "sms_batch"."released_by" is distinct from "sms_batch"."sender_id")
);

CREATE TABLE "sms_group" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_group_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"creator_id" integer NOT NULL,
	"name" varchar(30) NOT NULL,
	"shared" boolean DEFAULT false NOT NULL,
	"audience" text[] NOT NULL,
	"alumnus_ids" integer[] NOT NULL,
	"alumnus_filter" jsonb
);

CREATE TABLE "sms_log" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"batch_id" integer NOT NULL,
	"delivery_id" integer,
	"mobile" text NOT NULL,
	"mobile_mark" char(64) NOT NULL,
	"mobile_tail" char(4) NOT NULL,
	"name" varchar(30) DEFAULT '' NOT NULL,
	"user_id" integer,
	"alumnus_id" integer,
	"content" text NOT NULL,
	"params" json NOT NULL,
	"secret" text,
	"template_id" integer,
	"type" smallint NOT NULL,
	"segments" smallint NOT NULL,
	"module" varchar(32) DEFAULT '' NOT NULL,
	"object_id" integer,
	"sender_id" integer,
	"dept_id" integer,
	"state" smallint DEFAULT 0 NOT NULL,
	"provider_code" varchar(100) DEFAULT '' NOT NULL,
	"provider_msg" varchar(300) DEFAULT '' NOT NULL,
	"sent_at" timestamp with time zone,
	"receipt_time" timestamp with time zone,
	"receipt_asked_at" timestamp with time zone,
	"retry" smallint DEFAULT 0 NOT NULL,
	"again" boolean DEFAULT false NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "sms_log_state" CHECK ("sms_log"."state" between 0 and 5)
);

CREATE TABLE "sms_opt_out" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_opt_out_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"mobile_mark" char(64) NOT NULL,
	"mobile" text NOT NULL,
	"mobile_tail" char(4) NOT NULL,
	"reason" varchar(100) DEFAULT '' NOT NULL,
	"creator_id" integer,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sms_opt_out_once" UNIQUE("mobile_mark")
);

CREATE TABLE "sms_quota" (
	"kind" varchar(6) NOT NULL,
	"subject_id" integer NOT NULL,
	"since" date NOT NULL,
	"used" integer NOT NULL,
	CONSTRAINT "sms_quota_kind_subject_id_since_pk" PRIMARY KEY("kind","subject_id","since"),
	CONSTRAINT "sms_quota_kind" CHECK ("sms_quota"."kind" in ('sender', 'dept')),
	CONSTRAINT "sms_quota_used" CHECK ("sms_quota"."used" >= 0)
);

CREATE TABLE "sms_reply_key" (
	"id" smallint PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"made_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sms_reply_key_one" CHECK ("sms_reply_key"."id" = 1)
);

CREATE TABLE "sms_template" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "sms_template_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"code" varchar(40) NOT NULL,
	"name" varchar(40) NOT NULL,
	"content" varchar(500) NOT NULL,
	"type" smallint NOT NULL,
	"sign" varchar(20) DEFAULT '' NOT NULL,
	"provider_template_id" varchar(60) DEFAULT '' NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "sms_template_type" CHECK ("sms_template"."type" between 1 and 3),
	CONSTRAINT "sms_template_status" CHECK ("sms_template"."status" in (0, 1))
);

CREATE TABLE "socket_ticket" (
	"hash" char(64) PRIMARY KEY NOT NULL,
	"session_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);

CREATE TABLE "leader_source" (
	"module" varchar(30) NOT NULL,
	"source_id" integer NOT NULL,
	"version" integer NOT NULL,
	CONSTRAINT "leader_source_module_source_id_pk" PRIMARY KEY("module","source_id")
);

CREATE TABLE "sso_identity" (
	"issuer" varchar(500) NOT NULL,
	"subject" varchar(255) NOT NULL,
	"user_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sso_identity_issuer_subject_pk" PRIMARY KEY("issuer","subject"),
	CONSTRAINT "sso_identity_person" UNIQUE("user_id","issuer")
);

CREATE TABLE "supervise_stage" (
	"sub_id" integer NOT NULL,
	"no" smallint NOT NULL,
	"title" varchar(60) NOT NULL,
	"day" date NOT NULL,
	"weight" smallint NOT NULL,
	"evidence" boolean DEFAULT false NOT NULL,
	"done_at" timestamp with time zone,
	CONSTRAINT "supervise_stage_sub_id_no_pk" PRIMARY KEY("sub_id","no"),
	CONSTRAINT "supervise_stage_weight" CHECK ("supervise_stage"."weight" between 1 and 100)
);

CREATE TABLE "stamp_dept" (
	"stamp_id" integer NOT NULL,
	"dept_id" integer NOT NULL,
	CONSTRAINT "stamp_dept_stamp_id_dept_id_pk" PRIMARY KEY("stamp_id","dept_id")
);

CREATE TABLE "stamp" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stamp_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"name" varchar(50) NOT NULL,
	"stamp_no" varchar(30) DEFAULT '' NOT NULL,
	"type" smallint NOT NULL,
	"dept_id" integer NOT NULL,
	"keeper_id" integer NOT NULL,
	"backup_id" integer,
	"supervisor_id" integer,
	"picture_id" integer,
	"shape" varchar(20) DEFAULT '' NOT NULL,
	"size_mm" varchar(20) DEFAULT '' NOT NULL,
	"record_no" varchar(50) DEFAULT '' NOT NULL,
	"enabled_date" date,
	"place" varchar(50) DEFAULT '' NOT NULL,
	"workflow_id" integer,
	"office_hours" jsonb NOT NULL,
	"slot_capacity" smallint DEFAULT 10 NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "stamp_type" CHECK ("stamp"."type" between 1 and 9),
	CONSTRAINT "stamp_status" CHECK ("stamp"."status" between 1 and 5),
	CONSTRAINT "stamp_capacity" CHECK ("stamp"."slot_capacity" between 1 and 200),
	CONSTRAINT "stamp_supervised" CHECK ("stamp"."keeper_id" <> "stamp"."supervisor_id"),
	CONSTRAINT "stamp_backup" CHECK ("stamp"."keeper_id" <> "stamp"."backup_id")
);

CREATE TABLE "stand_in" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stand_in_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"from_id" integer NOT NULL,
	"to_id" integer NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"workflow_ids" integer[],
	"chain_limit" smallint DEFAULT 1 NOT NULL,
	"reason" varchar(200) DEFAULT '' NOT NULL,
	"source_module" varchar(30),
	"source_id" integer,
	"set_by" integer,
	"ended_at" timestamp with time zone,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stand_in_is_another" CHECK ("stand_in"."from_id" <> "stand_in"."to_id"),
	CONSTRAINT "stand_in_period" CHECK ("stand_in"."ends_at" > "stand_in"."starts_at"),
	CONSTRAINT "stand_in_chain_limit" CHECK ("stand_in"."chain_limit" between 1 and 3),
	CONSTRAINT "stand_in_some_workflow" CHECK (cardinality("stand_in"."workflow_ids") > 0)
);

CREATE TABLE "monitor_state" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"status" smallint DEFAULT 9 NOT NULL,
	"since" timestamp with time zone DEFAULT now() NOT NULL,
	"kept" jsonb DEFAULT '{"status":9,"verdict":null,"fails":0,"first_fail":null,"oks":0,"first_ok":null,"since_told":0,"alerts":0,"changes":[],"quiet_until":null,"flickers":0}'::jsonb NOT NULL,
	"last_check" timestamp with time zone,
	"last_ms" integer,
	"last_msg" varchar(200) DEFAULT '' NOT NULL,
	"recent" smallint[] DEFAULT '{}' NOT NULL,
	"uptime_24h" smallint,
	"uptime_30d" smallint,
	"cert" jsonb DEFAULT '{"ends":null,"subject":"","issuer":"","told":null,"told_at":null,"low_at":null}'::jsonb NOT NULL,
	"pushed_at" timestamp with time zone,
	CONSTRAINT "monitor_state_status" CHECK ("monitor_state"."status" in (0, 1, 2, 3, 9))
);

CREATE TABLE "monitor_status_page" (
	"customer_id" integer PRIMARY KEY NOT NULL,
	"mark" varchar(64) NOT NULL,
	"sealed" text NOT NULL,
	"project_ids" integer[] DEFAULT '{}' NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "monitor_status_page_mark_unique" UNIQUE("mark")
);

CREATE TABLE "supervise_sub" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "supervise_sub_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"red_at" timestamp with time zone,
	"yellow_at" timestamp with time zone,
	"blue_at" timestamp with time zone,
	"first_due_at" timestamp with time zone,
	"issued_at" timestamp with time zone,
	"opened_at" timestamp with time zone,
	"next_feedback" timestamp with time zone,
	"rested_at" timestamp with time zone,
	"done_at" timestamp with time zone,
	"progress" smallint DEFAULT 0 NOT NULL,
	"reported" smallint DEFAULT 0 NOT NULL,
	"status" smallint DEFAULT 0 NOT NULL,
	"supervise_id" integer NOT NULL,
	"title" varchar(120) NOT NULL,
	"content" text DEFAULT '' NOT NULL,
	"dept" integer NOT NULL,
	"owner" integer NOT NULL,
	"co_users" integer[] DEFAULT '{}' NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"weight" smallint DEFAULT 1 NOT NULL,
	"opened_by" integer,
	"marked_by" varchar(16) DEFAULT '' NOT NULL,
	CONSTRAINT "supervise_sub_status" CHECK ("supervise_sub"."status" between 0 and 5),
	CONSTRAINT "supervise_sub_progress" CHECK ("supervise_sub"."progress" between 0 and 100 and "supervise_sub"."reported" between 0 and 100),
	CONSTRAINT "supervise_sub_done" CHECK (("supervise_sub"."status" = 3) = ("supervise_sub"."progress" = 100)),
	CONSTRAINT "supervise_sub_weight" CHECK ("supervise_sub"."weight" between 1 and 100)
);

CREATE TABLE "supervise" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "supervise_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"red_at" timestamp with time zone,
	"yellow_at" timestamp with time zone,
	"blue_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"first_due_at" timestamp with time zone,
	"issue_at" timestamp with time zone,
	"applied_at" timestamp with time zone,
	"finish_at" timestamp with time zone,
	"leader" integer,
	"owner" integer,
	"finish_by" integer,
	"content" text DEFAULT '' NOT NULL,
	"requirement" text DEFAULT '' NOT NULL,
	"finish_note" text DEFAULT '' NOT NULL,
	"feedback_cycle" smallint DEFAULT 0 NOT NULL,
	"progress" smallint DEFAULT 0 NOT NULL,
	"status" smallint DEFAULT 0 NOT NULL,
	"reopened" smallint DEFAULT 0 NOT NULL,
	"co_depts" integer[] DEFAULT '{}' NOT NULL,
	"attachments" integer[] DEFAULT '{}' NOT NULL,
	"is_public" boolean DEFAULT false NOT NULL,
	"finished_late" boolean DEFAULT false NOT NULL,
	"supervisor" integer NOT NULL,
	"creator_id" integer NOT NULL,
	"sn" varchar(30) NOT NULL,
	"title" varchar(120) NOT NULL,
	"source" smallint NOT NULL,
	"source_module" varchar(30),
	"source_id" integer,
	"source_key" varchar(60) DEFAULT '' NOT NULL,
	"lead_dept" integer,
	"level" smallint DEFAULT 1 NOT NULL,
	"start_date" date,
	"score" numeric(5, 1),
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "supervise_sn_unique" UNIQUE("sn"),
	CONSTRAINT "supervise_status" CHECK ("supervise"."status" between 0 and 4),
	CONSTRAINT "supervise_source" CHECK ("supervise"."source" in (1, 2, 3, 4, 5, 6, 9)),
	CONSTRAINT "supervise_level" CHECK ("supervise"."level" between 1 and 3),
	CONSTRAINT "supervise_cycle" CHECK ("supervise"."feedback_cycle" between 0 and 4),
	CONSTRAINT "supervise_score" CHECK ("supervise"."score" between 0 and 100),
	CONSTRAINT "supervise_finished" CHECK (("supervise"."status" = 3) = ("supervise"."finish_at" is not null)),
	CONSTRAINT "supervise_issued" CHECK ("supervise"."status" = 0 or ("supervise"."due_at" is not null and "supervise"."lead_dept" is not null)),
	CONSTRAINT "supervise_deleted" CHECK (not "supervise"."is_deleted" or "supervise"."status" = 0)
);

CREATE TABLE "duty_swap" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "duty_swap_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"shift_id" integer NOT NULL,
	"post" smallint NOT NULL,
	"from_id" integer NOT NULL,
	"with_id" integer NOT NULL,
	"their_shift" integer,
	"reason" varchar(200) DEFAULT '' NOT NULL,
	"state" smallint DEFAULT 1 NOT NULL,
	"creator_id" integer NOT NULL,
	"confirmed_by" integer,
	CONSTRAINT "duty_swap_state" CHECK ("duty_swap"."state" between 1 and 6),
	CONSTRAINT "duty_swap_people" CHECK ("duty_swap"."from_id" <> "duty_swap"."with_id")
);

CREATE TABLE "photo_tag" (
	"photo_id" integer NOT NULL,
	"kind" varchar(6) NOT NULL,
	"name" varchar(20) NOT NULL,
	CONSTRAINT "photo_tag_photo_id_kind_name_pk" PRIMARY KEY("photo_id","kind","name"),
	CONSTRAINT "photo_tag_kind" CHECK ("photo_tag"."kind" in ('tag', 'person'))
);

CREATE TABLE "ticket_card" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ticket_card_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"ticket_id" integer NOT NULL,
	"task_no" integer NOT NULL,
	"user_id" integer NOT NULL,
	"notice_id" integer NOT NULL,
	"seen_hash" char(64) NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone,
	"settled_at" timestamp with time zone,
	"delivery_id" integer,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_card_seen_hash" CHECK ("ticket_card"."seen_hash" ~ '^[0-9a-f]{64}$')
);

CREATE TABLE "ticket_cc" (
	"ticket_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"state_id" integer DEFAULT 0 NOT NULL,
	"from_id" integer,
	"note" varchar(500) DEFAULT '' NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone,
	CONSTRAINT "ticket_cc_ticket_id_user_id_pk" PRIMARY KEY("ticket_id","user_id")
);

CREATE TABLE "ticket_event_head" (
	"id" smallint PRIMARY KEY DEFAULT 1 NOT NULL,
	"last" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "ticket_event_one_head" CHECK ("ticket_event_head"."id" = 1)
);

CREATE TABLE "ticket_event_push" (
	"token_id" integer PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL,
	"upto" bigint NOT NULL,
	"delivery_id" integer,
	"turn" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "ticket_event_push_goes_on" CHECK ("ticket_event_push"."upto" >= "ticket_event_push"."position")
);

CREATE TABLE "ticket_event" (
	"log_id" integer PRIMARY KEY NOT NULL,
	"position" bigint,
	CONSTRAINT "ticket_event_position" UNIQUE("position")
);

CREATE TABLE "ticket_inquiry" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ticket_inquiry_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"ticket_id" integer NOT NULL,
	"token_no" integer NOT NULL,
	"visit" integer NOT NULL,
	"state_id" integer NOT NULL,
	"notice_id" integer NOT NULL,
	"nonce" varchar(43) NOT NULL,
	"delivery_key" varchar(100),
	"asked_at" timestamp with time zone DEFAULT now() NOT NULL,
	"answered_at" timestamp with time zone,
	"silent_at" timestamp with time zone,
	"ok" boolean,
	"msg" text DEFAULT '' NOT NULL,
	CONSTRAINT "ticket_inquiry_answered" CHECK (("ticket_inquiry"."answered_at" is null) = ("ticket_inquiry"."ok" is null))
);

CREATE TABLE "ticket_log_file" (
	"log_id" integer NOT NULL,
	"place" smallint NOT NULL,
	"file_id" integer NOT NULL,
	CONSTRAINT "ticket_log_file_log_id_place_pk" PRIMARY KEY("log_id","place"),
	CONSTRAINT "ticket_log_file_place" CHECK ("ticket_log_file"."place" > 0)
);

CREATE TABLE "ticket_log" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ticket_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"ticket_id" integer NOT NULL,
	"seq" integer NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	"actor_id" integer,
	"on_behalf_id" integer,
	"action" varchar(20) NOT NULL,
	"intervene_type" smallint DEFAULT 0 NOT NULL,
	"transition_id" integer,
	"from_state_id" integer NOT NULL,
	"to_state_id" integer NOT NULL,
	"suggestion" text DEFAULT '' NOT NULL,
	"task_nos" integer[] DEFAULT '{}' NOT NULL,
	"events" jsonb NOT NULL,
	"trace" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"ip" "inet",
	"user_agent" varchar(300) DEFAULT '' NOT NULL,
	"signature_file_id" integer,
	"via" varchar(80) DEFAULT '' NOT NULL,
	"prev_hash" varchar(64),
	"hash" varchar(64),
	CONSTRAINT "ticket_log_seq_positive" CHECK ("ticket_log"."seq" > 0),
	CONSTRAINT "ticket_log_intervene_known" CHECK ("ticket_log"."intervene_type" between 0 and 15)
);

CREATE TABLE "ticket_look" (
	"ticket_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"seq" integer NOT NULL,
	"looked_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "ticket_look_ticket_id_user_id_pk" PRIMARY KEY("ticket_id","user_id"),
	CONSTRAINT "ticket_look_seq_positive" CHECK ("ticket_look"."seq" > 0)
);

CREATE TABLE "ticket" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "ticket_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"sn" varchar(40) NOT NULL,
	"title" varchar(200) NOT NULL,
	"workflow_id" integer NOT NULL,
	"version_id" integer NOT NULL,
	"act_state" smallint NOT NULL,
	"state_id" integer NOT NULL,
	"creator_id" integer NOT NULL,
	"dept_id" integer,
	"author_ids" integer[] DEFAULT '{}' NOT NULL,
	"form" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"chosen" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"round" integer DEFAULT 1 NOT NULL,
	"undo" jsonb,
	"seq" integer NOT NULL,
	"log_hash" varchar(64),
	"rev" integer DEFAULT 0 NOT NULL,
	"parent_ticket_id" integer,
	"parent_ticket_state_id" integer,
	"parent_token_no" integer,
	"parent_visit" integer,
	"parent_item" varchar(60),
	"biz_module" varchar(30),
	"biz_id" integer,
	"priority" smallint DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	"record_due_at" timestamp with time zone,
	"suspended_at" timestamp with time zone,
	"paused_ms" bigint DEFAULT 0 NOT NULL,
	"is_void" boolean DEFAULT false NOT NULL,
	"back_at" timestamp with time zone,
	"submitted_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "ticket_below_a_stay" CHECK (num_nulls("ticket"."parent_ticket_state_id", "ticket"."parent_token_no", "ticket"."parent_visit") in (0, 3)),
	CONSTRAINT "ticket_act_state_known" CHECK ("ticket"."act_state" between 0 and 6),
	CONSTRAINT "ticket_back_at" CHECK ("ticket"."back_at" is null or "ticket"."finished_at" is not null),
	CONSTRAINT "ticket_form_object" CHECK (jsonb_typeof("ticket"."form") = 'object'),
	CONSTRAINT "ticket_finished_at" CHECK (("ticket"."act_state" in (4, 5, 6)) = ("ticket"."finished_at" is not null)),
	CONSTRAINT "ticket_deleted_unsent" CHECK (not "ticket"."is_deleted" or "ticket"."submitted_at" is null),
	CONSTRAINT "ticket_counts_up" CHECK ("ticket"."round" > 0 and "ticket"."seq" > 0 and "ticket"."rev" >= 0)
);

CREATE TABLE "ticket_task" (
	"ticket_id" integer NOT NULL,
	"no" integer NOT NULL,
	"token_no" integer NOT NULL,
	"visit" integer NOT NULL,
	"state_id" integer NOT NULL,
	"round" integer NOT NULL,
	"assignee_id" integer NOT NULL,
	"origin" varchar(12) NOT NULL,
	"origin_no" integer,
	"on_behalf_id" integer,
	"agent_id" integer,
	"group_seq" integer DEFAULT 0 NOT NULL,
	"group_no" integer DEFAULT 0 NOT NULL,
	"mode" varchar(10),
	"answers" boolean DEFAULT false NOT NULL,
	"status" varchar(12) NOT NULL,
	"pooled" boolean DEFAULT false NOT NULL,
	"transition_id" integer,
	"reason" text DEFAULT '' NOT NULL,
	"opened_at" timestamp with time zone DEFAULT now() NOT NULL,
	"first_read_at" timestamp with time zone,
	"decided_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"ticket_deleted" boolean DEFAULT false NOT NULL,
	"seen_hash" varchar(64),
	CONSTRAINT "ticket_task_ticket_id_no_pk" PRIMARY KEY("ticket_id","no"),
	CONSTRAINT "ticket_task_status_known" CHECK ("ticket_task"."status" in ('waiting', 'todo', 'agree', 'refuse', 'other', 'returned', 'transferred', 'cancelled', 'skipped', 'expired')),
	CONSTRAINT "ticket_task_origin_known" CHECK ("ticket_task"."origin" in ('assign', 'deliver', 'delegate', 'add_before', 'add_parallel', 'add_after', 'agent', 'admin', 'stall', 'keep')),
	CONSTRAINT "ticket_task_mode_known" CHECK ("ticket_task"."mode" in ('any', 'all', 'sequential')),
	CONSTRAINT "ticket_task_decided_at" CHECK (("ticket_task"."status" in ('todo', 'waiting')) = ("ticket_task"."decided_at" is null))
);

CREATE TABLE "ticket_token" (
	"ticket_id" integer NOT NULL,
	"no" integer NOT NULL,
	"state_id" integer NOT NULL,
	"branch" varchar(200) DEFAULT '' NOT NULL,
	"status" varchar(12) NOT NULL,
	"visit" integer NOT NULL,
	"returned" boolean DEFAULT false NOT NULL,
	"back_to" integer,
	"entered_at" timestamp with time zone DEFAULT now() NOT NULL,
	"decision_deadline" timestamp with time zone,
	"timer_at" timestamp with time zone,
	"overdue_visit" integer,
	"reminded" smallint DEFAULT 0 NOT NULL,
	"remind_at" timestamp with time zone,
	"ahead_at" timestamp with time zone,
	CONSTRAINT "ticket_token_ticket_id_no_pk" PRIMARY KEY("ticket_id","no"),
	CONSTRAINT "ticket_token_status_known" CHECK ("ticket_token"."status" in ('active', 'waiting_join', 'done'))
);

CREATE TABLE "meet_topic" (
	"meet_id" integer NOT NULL,
	"no" smallint NOT NULL,
	"title" varchar(200) NOT NULL,
	"reporter" varchar(50) DEFAULT '' NOT NULL,
	"minutes" smallint,
	"files" integer[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "meet_topic_meet_id_no_pk" PRIMARY KEY("meet_id","no")
);

CREATE TABLE "sign_on_trip" (
	"hash" char(64) PRIMARY KEY NOT NULL,
	"kind" varchar(10) NOT NULL,
	"browser" char(64) NOT NULL,
	"way_back" varchar(500) NOT NULL,
	"identity" jsonb,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sign_on_trip_kind" CHECK ("sign_on_trip"."kind" in ('sso', 'wechat', 'bind')),
	CONSTRAINT "sign_on_trip_identity" CHECK (("sign_on_trip"."kind" = 'bind') = ("sign_on_trip"."identity" is not null))
);

CREATE TABLE "file_upload" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "file_upload_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"uploader_id" integer NOT NULL,
	"module" varchar(30) NOT NULL,
	"name" varchar(120) NOT NULL,
	"size" integer NOT NULL,
	"come" integer DEFAULT 0 NOT NULL,
	"portions" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"file_id" integer,
	"moved_at" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "stamp_use" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "stamp_use_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"stamp_id" integer NOT NULL,
	"line_id" integer NOT NULL,
	"application_id" integer NOT NULL,
	"corrects_id" integer,
	"use_type" smallint NOT NULL,
	"file_kind" smallint NOT NULL,
	"sn" varchar(40) DEFAULT '' NOT NULL,
	"file_name" varchar(100) NOT NULL,
	"receiver" varchar(100) DEFAULT '' NOT NULL,
	"amount" numeric(16, 2),
	"dept_id" integer,
	"operator_id" integer NOT NULL,
	"copies" integer NOT NULL,
	"real_copies" integer NOT NULL,
	"real_pages" integer,
	"serial_from" varchar(30) DEFAULT '' NOT NULL,
	"serial_to" varchar(30) DEFAULT '' NOT NULL,
	"keeper_id" integer NOT NULL,
	"confirmed_by" integer,
	"confirmed_at" timestamp with time zone,
	"after_hours" boolean DEFAULT false NOT NULL,
	"remark" varchar(300) DEFAULT '' NOT NULL,
	"sealed_at" timestamp with time zone NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "stamp_use_corrected_once" UNIQUE("corrects_id"),
	CONSTRAINT "stamp_use_copies" CHECK ("stamp_use"."real_copies" between 1 and "stamp_use"."copies"),
	CONSTRAINT "stamp_use_pages" CHECK ("stamp_use"."real_pages" between 1 and 99999),
	CONSTRAINT "stamp_use_confirmed" CHECK (("stamp_use"."confirmed_by" is null) = ("stamp_use"."confirmed_at" is null)),
	CONSTRAINT "stamp_use_two" CHECK ("stamp_use"."confirmed_by" <> "stamp_use"."keeper_id")
);

CREATE TABLE "used_challenge" (
	"signature" varchar(200) PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);

CREATE TABLE "user_dept" (
	"user_id" integer NOT NULL,
	"dept_id" integer NOT NULL,
	CONSTRAINT "user_dept_user_id_dept_id_pk" PRIMARY KEY("user_id","dept_id")
);

CREATE TABLE "user_group" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "user_group_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"name" varchar(30) NOT NULL,
	"note" varchar(200) DEFAULT '' NOT NULL,
	"people" integer[] DEFAULT '{}' NOT NULL
);

CREATE TABLE "user_role" (
	"user_id" integer NOT NULL,
	"role_id" integer NOT NULL,
	"until" date,
	CONSTRAINT "user_role_user_id_role_id_pk" PRIMARY KEY("user_id","role_id")
);

CREATE TABLE "app_user" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "app_user_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"username" varchar(50) NOT NULL,
	"alias" varchar(30) NOT NULL,
	"phone" varchar(11),
	"email" varchar(100) DEFAULT '' NOT NULL,
	"company" varchar(50) DEFAULT '' NOT NULL,
	"dept_id" integer,
	"post" varchar(30) DEFAULT '' NOT NULL,
	"gender" varchar(1) DEFAULT '' NOT NULL,
	"office_phone" varchar(30) DEFAULT '' NOT NULL,
	"office_room" varchar(50) DEFAULT '' NOT NULL,
	"avatar_id" integer,
	"type_id" smallint DEFAULT 0 NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"is_yg" boolean DEFAULT true NOT NULL,
	"sort" integer DEFAULT 0 NOT NULL,
	"phone_visible" smallint DEFAULT 1 NOT NULL,
	"employ_no" varchar(50) DEFAULT '' NOT NULL,
	"password" text NOT NULL,
	"must_change_pwd" boolean DEFAULT false NOT NULL,
	"password_changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"session_version" integer DEFAULT 0 NOT NULL,
	"last_login" timestamp with time zone,
	"reading" varchar(200) DEFAULT '' NOT NULL,
	"search" "tsvector" DEFAULT '' NOT NULL,
	CONSTRAINT "app_user_username" CHECK ("app_user"."username" ~ '^[A-Za-z0-9_.-]{2,50}$'),
	CONSTRAINT "app_user_type" CHECK ("app_user"."type_id" in (0, 2)),
	CONSTRAINT "app_user_phone_visible" CHECK ("app_user"."phone_visible" between 1 and 3)
);

CREATE TABLE "verify_code" (
	"code" varchar(16) PRIMARY KEY NOT NULL,
	"module" varchar(30) NOT NULL,
	"record_id" integer NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "photo_view" (
	"photo_id" integer NOT NULL,
	"user_id" integer NOT NULL,
	"day" date DEFAULT current_date NOT NULL,
	CONSTRAINT "photo_view_photo_id_user_id_day_pk" PRIMARY KEY("photo_id","user_id","day")
);

CREATE TABLE "customer_visit" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "customer_visit_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"creator_id" integer NOT NULL,
	"customer_id" integer NOT NULL,
	"contact_id" integer,
	"way" smallint NOT NULL,
	"visited_at" timestamp with time zone NOT NULL,
	"content" varchar(2000) NOT NULL,
	"next_date" date,
	CONSTRAINT "customer_visit_way" CHECK ("customer_visit"."way" between 1 and 5)
);

CREATE TABLE "meet_waiting" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "meet_waiting_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"user_id" integer NOT NULL,
	"room_id" integer,
	"office_id" integer,
	"capacity" smallint DEFAULT 1 NOT NULL,
	"start_time" timestamp with time zone NOT NULL,
	"end_time" timestamp with time zone NOT NULL,
	"offered_room" integer,
	"offered_until" timestamp with time zone,
	"missed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "meet_waiting_for" CHECK (num_nonnulls("meet_waiting"."room_id", "meet_waiting"."office_id") = 1),
	CONSTRAINT "meet_waiting_in_order" CHECK ("meet_waiting"."start_time" < "meet_waiting"."end_time"),
	CONSTRAINT "meet_waiting_offer" CHECK (("meet_waiting"."offered_room" is null) or ("meet_waiting"."offered_until" is not null))
);

CREATE TABLE "wechat_identity" (
	"user_id" integer PRIMARY KEY NOT NULL,
	"openid" varchar(128) NOT NULL,
	"unionid" varchar(128),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "wechat_identity_openid" UNIQUE("openid"),
	CONSTRAINT "wechat_identity_unionid" UNIQUE("unionid")
);

CREATE TABLE "leader_week" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "leader_week_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"week" date NOT NULL,
	"version" integer NOT NULL,
	"published_by" integer NOT NULL,
	"published_at" timestamp with time zone DEFAULT now() NOT NULL,
	"snapshot" jsonb NOT NULL,
	"pdf_all" "bytea",
	"pdf_open" "bytea",
	CONSTRAINT "leader_week_version" UNIQUE("week","version"),
	CONSTRAINT "leader_week_monday" CHECK (extract(isodow from "leader_week"."week") = 1)
);

CREATE TABLE "monitor_window" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "monitor_window_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	"version" integer DEFAULT 0 NOT NULL,
	"title" varchar(50) NOT NULL,
	"project_ids" integer[] DEFAULT '{}' NOT NULL,
	"weekly" boolean DEFAULT false NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"weekdays" smallint[] DEFAULT '{}' NOT NULL,
	"from_minute" smallint DEFAULT 0 NOT NULL,
	"minutes" smallint DEFAULT 0 NOT NULL,
	"created_by" integer,
	CONSTRAINT "monitor_window_once" CHECK ("monitor_window"."weekly" or "monitor_window"."ends_at" is not null),
	CONSTRAINT "monitor_window_order" CHECK ("monitor_window"."ends_at" > "monitor_window"."starts_at"),
	CONSTRAINT "monitor_window_weekly" CHECK (not "monitor_window"."weekly" or (cardinality("monitor_window"."weekdays") > 0 and "monitor_window"."minutes" between 1 and 1440 and "monitor_window"."from_minute" between 0 and 1439))
);

CREATE TABLE "workflow_grant" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workflow_grant_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"workflow_id" integer NOT NULL,
	"permission" varchar(10) NOT NULL,
	"holder_type" varchar(10) NOT NULL,
	"holder" text NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_grant_permission_known" CHECK ("workflow_grant"."permission" in ('view', 'intervene', 'admin')),
	CONSTRAINT "workflow_grant_holder_known" CHECK ("workflow_grant"."holder_type" in ('user', 'dept', 'role'))
);

CREATE TABLE "workflow" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workflow_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"key" varchar(50) NOT NULL,
	"name" varchar(50) NOT NULL,
	"description" varchar(200) DEFAULT '' NOT NULL,
	"icon" varchar(50) DEFAULT '' NOT NULL,
	"category" varchar(50) DEFAULT '' NOT NULL,
	"module" varchar(30),
	"order_id" integer DEFAULT 0 NOT NULL,
	"status" smallint DEFAULT 1 NOT NULL,
	"creator_id" integer,
	"version" integer DEFAULT 0 NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_status_known" CHECK ("workflow"."status" in (0, 1))
);

CREATE TABLE "workflow_version" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "workflow_version_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"workflow_id" integer NOT NULL,
	"no" integer NOT NULL,
	"status" varchar(10) NOT NULL,
	"definition" jsonb NOT NULL,
	"hash" varchar(64) NOT NULL,
	"note" varchar(200) DEFAULT '' NOT NULL,
	"published_by" integer,
	"published_at" timestamp with time zone,
	"gmt_created" timestamp with time zone DEFAULT now() NOT NULL,
	"gmt_modified" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workflow_version_status_known" CHECK ("workflow_version"."status" in ('draft', 'published', 'retired')),
	CONSTRAINT "workflow_version_published_at" CHECK (("workflow_version"."status" = 'draft') = ("workflow_version"."published_at" is null)),
	CONSTRAINT "workflow_version_no_positive" CHECK ("workflow_version"."no" > 0)
);

ALTER TABLE "activity_change" ADD CONSTRAINT "activity_change_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "activity_change" ADD CONSTRAINT "activity_change_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "activity_change" ADD CONSTRAINT "activity_change_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "activity_change" ADD CONSTRAINT "activity_change_record_id_activity_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."activity"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "activity_guest" ADD CONSTRAINT "activity_guest_activity_id_activity_id_fk" FOREIGN KEY ("activity_id") REFERENCES "public"."activity"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "activity_leader" ADD CONSTRAINT "activity_leader_activity_id_activity_id_fk" FOREIGN KEY ("activity_id") REFERENCES "public"."activity"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "activity_leader" ADD CONSTRAINT "activity_leader_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "activity_round" ADD CONSTRAINT "activity_round_activity_id_activity_id_fk" FOREIGN KEY ("activity_id") REFERENCES "public"."activity"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "activity" ADD CONSTRAINT "activity_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "activity" ADD CONSTRAINT "activity_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "activity" ADD CONSTRAINT "activity_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "activity" ADD CONSTRAINT "activity_undertaker_app_user_id_fk" FOREIGN KEY ("undertaker") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "activity" ADD CONSTRAINT "activity_room_id_meet_room_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."meet_room"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "activity" ADD CONSTRAINT "activity_safety_officer_app_user_id_fk" FOREIGN KEY ("safety_officer") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leader_address" ADD CONSTRAINT "leader_address_owner_id_app_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "photo_category" ADD CONSTRAINT "photo_category_parent" FOREIGN KEY ("parent_id") REFERENCES "public"."photo_category"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "monitor_alert" ADD CONSTRAINT "monitor_alert_project_id_customer_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."customer_project"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "monitor_alert" ADD CONSTRAINT "monitor_alert_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customer"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "monitor_alert" ADD CONSTRAINT "monitor_alert_record_id_test_record_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."test_record"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_alert" ADD CONSTRAINT "stamp_alert_stamp_id_stamp_id_fk" FOREIGN KEY ("stamp_id") REFERENCES "public"."stamp"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "stamp_alert" ADD CONSTRAINT "stamp_alert_handled_by_app_user_id_fk" FOREIGN KEY ("handled_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "alumnus" ADD CONSTRAINT "alumnus_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "alumnus" ADD CONSTRAINT "alumnus_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "app_token" ADD CONSTRAINT "app_token_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_file" ADD CONSTRAINT "stamp_file_application_id_stamp_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."stamp_application"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "stamp_file" ADD CONSTRAINT "stamp_file_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_application" ADD CONSTRAINT "stamp_application_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_application" ADD CONSTRAINT "stamp_application_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_application" ADD CONSTRAINT "stamp_application_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_application" ADD CONSTRAINT "stamp_application_operator_id_app_user_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_application" ADD CONSTRAINT "stamp_application_escort_id_app_user_id_fk" FOREIGN KEY ("escort_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "wait_aside" ADD CONSTRAINT "wait_aside_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leader_attend" ADD CONSTRAINT "leader_attend_schedule_id_leader_schedule_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."leader_schedule"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "leader_attend" ADD CONSTRAINT "leader_attend_leader_id_app_user_id_fk" FOREIGN KEY ("leader_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leader_attend" ADD CONSTRAINT "leader_attend_by_app_user_id_fk" FOREIGN KEY ("by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_attendee" ADD CONSTRAINT "meet_attendee_meet_id_meet_id_fk" FOREIGN KEY ("meet_id") REFERENCES "public"."meet"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "meet_attendee" ADD CONSTRAINT "meet_attendee_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_attendee" ADD CONSTRAINT "meet_attendee_substitute_id_app_user_id_fk" FOREIGN KEY ("substitute_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_attendee" ADD CONSTRAINT "meet_attendee_signed_by_app_user_id_fk" FOREIGN KEY ("signed_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_blackout" ADD CONSTRAINT "meet_blackout_room_id_meet_room_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."meet_room"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "meet_blackout" ADD CONSTRAINT "meet_blackout_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "calendar_day" ADD CONSTRAINT "calendar_day_set_by_app_user_id_fk" FOREIGN KEY ("set_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder_category" ADD CONSTRAINT "folder_category_workflow_id_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflow"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder_category" ADD CONSTRAINT "folder_category_parent" FOREIGN KEY ("parent_id") REFERENCES "public"."folder_category"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leader_change" ADD CONSTRAINT "leader_change_schedule_id_leader_schedule_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."leader_schedule"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "leader_change" ADD CONSTRAINT "leader_change_by_app_user_id_fk" FOREIGN KEY ("by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_change" ADD CONSTRAINT "meet_change_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_change" ADD CONSTRAINT "meet_change_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_change" ADD CONSTRAINT "meet_change_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_change" ADD CONSTRAINT "meet_change_record_id_meet_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."meet"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder_collect" ADD CONSTRAINT "folder_collect_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder_collect" ADD CONSTRAINT "folder_collect_paper_id_folder_paper_id_fk" FOREIGN KEY ("paper_id") REFERENCES "public"."folder_paper"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "confirmed_mail" ADD CONSTRAINT "confirmed_mail_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_contact" ADD CONSTRAINT "customer_contact_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_contact" ADD CONSTRAINT "customer_contact_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customer"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_contact" ADD CONSTRAINT "customer_contact_project" FOREIGN KEY ("project_id","customer_id") REFERENCES "public"."customer_project"("id","customer_id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract_category" ADD CONSTRAINT "contract_category_manage_dept_dept_id_fk" FOREIGN KEY ("manage_dept") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract_category" ADD CONSTRAINT "contract_category_default_template_id_contract_template_id_fk" FOREIGN KEY ("default_template_id") REFERENCES "public"."contract_template"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract_category" ADD CONSTRAINT "contract_category_parent" FOREIGN KEY ("parent_id") REFERENCES "public"."contract_category"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract_entry" ADD CONSTRAINT "contract_entry_contract_id_contract_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contract"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "contract_entry" ADD CONSTRAINT "contract_entry_performance_id_contract_performance_id_fk" FOREIGN KEY ("performance_id") REFERENCES "public"."contract_performance"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "contract_entry" ADD CONSTRAINT "contract_entry_by_app_user_id_fk" FOREIGN KEY ("by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract_event" ADD CONSTRAINT "contract_event_contract_id_contract_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contract"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "contract_event" ADD CONSTRAINT "contract_event_supplement_id_contract_id_fk" FOREIGN KEY ("supplement_id") REFERENCES "public"."contract"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "contract_event" ADD CONSTRAINT "contract_event_entry_id_contract_entry_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."contract_entry"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "contract_event" ADD CONSTRAINT "contract_event_by_app_user_id_fk" FOREIGN KEY ("by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract_number" ADD CONSTRAINT "contract_number_contract_id_contract_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contract"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "contract_number" ADD CONSTRAINT "contract_number_category_id_contract_category_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."contract_category"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "contract_number" ADD CONSTRAINT "contract_number_parent_id_contract_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."contract"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "contract_party" ADD CONSTRAINT "contract_party_merged" FOREIGN KEY ("merged_id") REFERENCES "public"."contract_party"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract_performance" ADD CONSTRAINT "contract_performance_contract_id_contract_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contract"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "contract_performance" ADD CONSTRAINT "contract_performance_handler_app_user_id_fk" FOREIGN KEY ("handler") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract_side" ADD CONSTRAINT "contract_side_contract_id_contract_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contract"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "contract_side" ADD CONSTRAINT "contract_side_party_id_contract_party_id_fk" FOREIGN KEY ("party_id") REFERENCES "public"."contract_party"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_category_id_contract_category_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."contract_category"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_undertaker_app_user_id_fk" FOREIGN KEY ("undertaker") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_manage_dept_dept_id_fk" FOREIGN KEY ("manage_dept") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_template_version_id_contract_template_version_id_fk" FOREIGN KEY ("template_version_id") REFERENCES "public"."contract_template_version"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_final_file_id_file_id_fk" FOREIGN KEY ("final_file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_signed_by_app_user_id_fk" FOREIGN KEY ("signed_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_signed_file_id_file_id_fk" FOREIGN KEY ("signed_file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_authority_file_id_file_id_fk" FOREIGN KEY ("authority_file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_keeper_app_user_id_fk" FOREIGN KEY ("keeper") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_packed_file_id_file_id_fk" FOREIGN KEY ("packed_file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract" ADD CONSTRAINT "contract_parent" FOREIGN KEY ("parent_id") REFERENCES "public"."contract"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract_template" ADD CONSTRAINT "contract_template_category_id_contract_category_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."contract_category"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract_template_version" ADD CONSTRAINT "contract_template_version_template_id_contract_template_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."contract_template"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "contract_template_version" ADD CONSTRAINT "contract_template_version_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract_term" ADD CONSTRAINT "contract_term_contract_id_contract_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contract"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "contract_text" ADD CONSTRAINT "contract_text_contract_id_contract_id_fk" FOREIGN KEY ("contract_id") REFERENCES "public"."contract"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "contract_text" ADD CONSTRAINT "contract_text_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract_text" ADD CONSTRAINT "contract_text_template_version_id_contract_template_version_id_fk" FOREIGN KEY ("template_version_id") REFERENCES "public"."contract_template_version"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "contract_text" ADD CONSTRAINT "contract_text_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_custody" ADD CONSTRAINT "stamp_custody_stamp_id_stamp_id_fk" FOREIGN KEY ("stamp_id") REFERENCES "public"."stamp"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "stamp_custody" ADD CONSTRAINT "stamp_custody_from_id_app_user_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_custody" ADD CONSTRAINT "stamp_custody_to_id_app_user_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_custody" ADD CONSTRAINT "stamp_custody_backup_id_app_user_id_fk" FOREIGN KEY ("backup_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_custody" ADD CONSTRAINT "stamp_custody_supervisor_id_app_user_id_fk" FOREIGN KEY ("supervisor_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_custody" ADD CONSTRAINT "stamp_custody_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer" ADD CONSTRAINT "customer_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer" ADD CONSTRAINT "customer_owner_app_user_id_fk" FOREIGN KEY ("owner") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer" ADD CONSTRAINT "customer_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_decision" ADD CONSTRAINT "meet_decision_meet_id_meet_id_fk" FOREIGN KEY ("meet_id") REFERENCES "public"."meet"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "meet_decision" ADD CONSTRAINT "meet_decision_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_decision" ADD CONSTRAINT "meet_decision_owner_id_app_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_decision" ADD CONSTRAINT "meet_decision_minutes" FOREIGN KEY ("meet_id","minutes_no") REFERENCES "public"."meet_minutes"("meet_id","no") ON DELETE no action ON UPDATE no action;
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "delivery_try" ADD CONSTRAINT "delivery_try_delivery_id_delivery_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."delivery"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "dept_person" ADD CONSTRAINT "dept_person_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "dept_person" ADD CONSTRAINT "dept_person_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "dept" ADD CONSTRAINT "dept_parent" FOREIGN KEY ("parent_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sign_in_device" ADD CONSTRAINT "sign_in_device_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_dist_event" ADD CONSTRAINT "document_dist_event_dist_id_document_dist_id_fk" FOREIGN KEY ("dist_id") REFERENCES "public"."document_dist"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_dist_event" ADD CONSTRAINT "document_dist_event_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_dist_event" ADD CONSTRAINT "document_dist_event_actor_id_app_user_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_dist" ADD CONSTRAINT "document_dist_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_dist" ADD CONSTRAINT "document_dist_sender_id_app_user_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_dist" ADD CONSTRAINT "document_dist_sender_dept_dept_id_fk" FOREIGN KEY ("sender_dept") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_dist" ADD CONSTRAINT "document_dist_recalled_by_app_user_id_fk" FOREIGN KEY ("recalled_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_dist_user" ADD CONSTRAINT "document_dist_user_dist_id_document_dist_id_fk" FOREIGN KEY ("dist_id") REFERENCES "public"."document_dist"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_dist_user" ADD CONSTRAINT "document_dist_user_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_dist_user" ADD CONSTRAINT "document_dist_user_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_dist_user" ADD CONSTRAINT "document_dist_user_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_archive" ADD CONSTRAINT "document_archive_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_archive" ADD CONSTRAINT "document_archive_archived_by_app_user_id_fk" FOREIGN KEY ("archived_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_archive" ADD CONSTRAINT "document_archive_package_id_file_id_fk" FOREIGN KEY ("package_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_body" ADD CONSTRAINT "document_body_sha256_file_content_sha256_fk" FOREIGN KEY ("sha256") REFERENCES "public"."file_content"("sha256") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "document_category" ADD CONSTRAINT "document_category_workflow_id_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflow"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_category" ADD CONSTRAINT "document_category_number_rule_id_number_rule_id_fk" FOREIGN KEY ("number_rule_id") REFERENCES "public"."number_rule"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_category" ADD CONSTRAINT "document_category_redhead_id_redhead_id_fk" FOREIGN KEY ("redhead_id") REFERENCES "public"."redhead"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_category" ADD CONSTRAINT "document_category_parent" FOREIGN KEY ("parent") REFERENCES "public"."document_category"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_collect" ADD CONSTRAINT "document_collect_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_collect" ADD CONSTRAINT "document_collect_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "document_edit" ADD CONSTRAINT "document_edit_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "document_edit" ADD CONSTRAINT "document_edit_editor_id_app_user_id_fk" FOREIGN KEY ("editor_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_edit" ADD CONSTRAINT "document_edit_body_file_file_id_fk" FOREIGN KEY ("body_file") REFERENCES "public"."file"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "document_exchange" ADD CONSTRAINT "document_exchange_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_exchange" ADD CONSTRAINT "document_exchange_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_exchange" ADD CONSTRAINT "document_exchange_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_file" ADD CONSTRAINT "document_file_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_file" ADD CONSTRAINT "document_file_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_file" ADD CONSTRAINT "document_file_locked_by_app_user_id_fk" FOREIGN KEY ("locked_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_file_version" ADD CONSTRAINT "document_file_version_document_file_id_document_file_id_fk" FOREIGN KEY ("document_file_id") REFERENCES "public"."document_file"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "document_file_version" ADD CONSTRAINT "document_file_version_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_file_version" ADD CONSTRAINT "document_file_version_editor_app_user_id_fk" FOREIGN KEY ("editor") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_frozen" ADD CONSTRAINT "document_frozen_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_frozen" ADD CONSTRAINT "document_frozen_signer_id_app_user_id_fk" FOREIGN KEY ("signer_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_level_log" ADD CONSTRAINT "document_level_log_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_level_log" ADD CONSTRAINT "document_level_log_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_marked_paper" ADD CONSTRAINT "document_marked_paper_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "document_marked_paper" ADD CONSTRAINT "document_marked_paper_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_notice_read" ADD CONSTRAINT "document_notice_read_notice_id_document_notice_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."document_notice"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "document_notice_read" ADD CONSTRAINT "document_notice_read_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_notice" ADD CONSTRAINT "document_notice_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_notice" ADD CONSTRAINT "document_notice_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_notice" ADD CONSTRAINT "document_notice_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_record" ADD CONSTRAINT "document_record_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_seal" ADD CONSTRAINT "document_seal_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document_stroke" ADD CONSTRAINT "document_stroke_paper_id_document_marked_paper_id_fk" FOREIGN KEY ("paper_id") REFERENCES "public"."document_marked_paper"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "document_stroke" ADD CONSTRAINT "document_stroke_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document" ADD CONSTRAINT "document_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document" ADD CONSTRAINT "document_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document" ADD CONSTRAINT "document_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document" ADD CONSTRAINT "document_category_id_document_category_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."document_category"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document" ADD CONSTRAINT "document_number_rule_id_number_rule_id_fk" FOREIGN KEY ("number_rule_id") REFERENCES "public"."number_rule"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document" ADD CONSTRAINT "document_issuer_app_user_id_fk" FOREIGN KEY ("issuer") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document" ADD CONSTRAINT "document_body_file_file_id_fk" FOREIGN KEY ("body_file") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document" ADD CONSTRAINT "document_redhead_id_redhead_id_fk" FOREIGN KEY ("redhead_id") REFERENCES "public"."redhead"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document" ADD CONSTRAINT "document_final_file_file_id_fk" FOREIGN KEY ("final_file") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document" ADD CONSTRAINT "document_lead_dept_dept_id_fk" FOREIGN KEY ("lead_dept") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "document" ADD CONSTRAINT "document_reply_to" FOREIGN KEY ("reply_to_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_door" ADD CONSTRAINT "meet_door_room_id_meet_room_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."meet_room"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "meet_door" ADD CONSTRAINT "meet_door_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "draft" ADD CONSTRAINT "draft_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "monitor_due" ADD CONSTRAINT "monitor_due_project_id_monitor_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."monitor"("project_id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_change" ADD CONSTRAINT "duty_change_shift_id_duty_shift_id_fk" FOREIGN KEY ("shift_id") REFERENCES "public"."duty_shift"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_change" ADD CONSTRAINT "duty_change_by_app_user_id_fk" FOREIGN KEY ("by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_person" ADD CONSTRAINT "duty_person_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_person" ADD CONSTRAINT "duty_person_swap_id_duty_swap_id_fk" FOREIGN KEY ("swap_id") REFERENCES "public"."duty_swap"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "duty_person" ADD CONSTRAINT "duty_person_shift" FOREIGN KEY ("shift_id","start_time","end_time") REFERENCES "public"."duty_shift"("id","start_time","end_time") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "duty_entry" ADD CONSTRAINT "duty_entry_shift_id_duty_shift_id_fk" FOREIGN KEY ("shift_id") REFERENCES "public"."duty_shift"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_entry" ADD CONSTRAINT "duty_entry_by_app_user_id_fk" FOREIGN KEY ("by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "export" ADD CONSTRAINT "export_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "export" ADD CONSTRAINT "export_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "feed" ADD CONSTRAINT "feed_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "file" ADD CONSTRAINT "file_sha256_file_content_sha256_fk" FOREIGN KEY ("sha256") REFERENCES "public"."file_content"("sha256") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_guest" ADD CONSTRAINT "meet_guest_meet_id_meet_id_fk" FOREIGN KEY ("meet_id") REFERENCES "public"."meet"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "duty_handover" ADD CONSTRAINT "duty_handover_shift_id_duty_shift_id_fk" FOREIGN KEY ("shift_id") REFERENCES "public"."duty_shift"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_handover" ADD CONSTRAINT "duty_handover_by_app_user_id_fk" FOREIGN KEY ("by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "monitor_hour" ADD CONSTRAINT "monitor_hour_project_id_customer_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."customer_project"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "test_record_event" ADD CONSTRAINT "test_record_event_record_id_test_record_id_fk" FOREIGN KEY ("record_id") REFERENCES "public"."test_record"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "test_record_event" ADD CONSTRAINT "test_record_event_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "test_record" ADD CONSTRAINT "test_record_project_id_customer_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."customer_project"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "test_record" ADD CONSTRAINT "test_record_claimed_by_app_user_id_fk" FOREIGN KEY ("claimed_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "test_record" ADD CONSTRAINT "test_record_handler_app_user_id_fk" FOREIGN KEY ("handler") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "door_key" ADD CONSTRAINT "door_key_keeper_app_user_id_fk" FOREIGN KEY ("keeper") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "known_device" ADD CONSTRAINT "known_device_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leader_seen" ADD CONSTRAINT "leader_seen_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leader_seen" ADD CONSTRAINT "leader_seen_schedule_id_leader_schedule_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."leader_schedule"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "photo_like" ADD CONSTRAINT "photo_like_photo_id_photo_id_fk" FOREIGN KEY ("photo_id") REFERENCES "public"."photo"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "photo_like" ADD CONSTRAINT "photo_like_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_line" ADD CONSTRAINT "stamp_line_application_id_stamp_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."stamp_application"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "stamp_line" ADD CONSTRAINT "stamp_line_stamp_id_stamp_id_fk" FOREIGN KEY ("stamp_id") REFERENCES "public"."stamp"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_line" ADD CONSTRAINT "stamp_line_done_by_app_user_id_fk" FOREIGN KEY ("done_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "record_link" ADD CONSTRAINT "record_link_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "key_loan" ADD CONSTRAINT "key_loan_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "key_loan" ADD CONSTRAINT "key_loan_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "key_loan" ADD CONSTRAINT "key_loan_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "key_loan" ADD CONSTRAINT "key_loan_key_id_door_key_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."door_key"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_loan" ADD CONSTRAINT "stamp_loan_line_id_stamp_line_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."stamp_line"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_loan" ADD CONSTRAINT "stamp_loan_stamp_id_stamp_id_fk" FOREIGN KEY ("stamp_id") REFERENCES "public"."stamp"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_loan" ADD CONSTRAINT "stamp_loan_escort_id_app_user_id_fk" FOREIGN KEY ("escort_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_loan" ADD CONSTRAINT "stamp_loan_handed_by_app_user_id_fk" FOREIGN KEY ("handed_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_loan" ADD CONSTRAINT "stamp_loan_signature_file_id_fk" FOREIGN KEY ("signature") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_loan" ADD CONSTRAINT "stamp_loan_returned_to_app_user_id_fk" FOREIGN KEY ("returned_to") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_loan" ADD CONSTRAINT "stamp_loan_extend_by_app_user_id_fk" FOREIGN KEY ("extend_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet" ADD CONSTRAINT "meet_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet" ADD CONSTRAINT "meet_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet" ADD CONSTRAINT "meet_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet" ADD CONSTRAINT "meet_room_id_meet_room_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."meet_room"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet" ADD CONSTRAINT "meet_host_id_app_user_id_fk" FOREIGN KEY ("host_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet" ADD CONSTRAINT "meet_contact_id_app_user_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet" ADD CONSTRAINT "meet_recorder_id_app_user_id_fk" FOREIGN KEY ("recorder_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet" ADD CONSTRAINT "meet_checked_in_by_app_user_id_fk" FOREIGN KEY ("checked_in_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet" ADD CONSTRAINT "meet_series_id_meet_series_id_fk" FOREIGN KEY ("series_id") REFERENCES "public"."meet_series"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "menu_button" ADD CONSTRAINT "menu_button_menu_id_menu_id_fk" FOREIGN KEY ("menu_id") REFERENCES "public"."menu"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "menu_button" ADD CONSTRAINT "menu_button_button_id_button_id_fk" FOREIGN KEY ("button_id") REFERENCES "public"."button"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "menu" ADD CONSTRAINT "menu_parent" FOREIGN KEY ("parent_id") REFERENCES "public"."menu"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "msg_habit" ADD CONSTRAINT "msg_habit_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "msg_preference" ADD CONSTRAINT "msg_preference_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "msg" ADD CONSTRAINT "msg_sender_id_app_user_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_minutes" ADD CONSTRAINT "meet_minutes_meet_id_meet_id_fk" FOREIGN KEY ("meet_id") REFERENCES "public"."meet"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "meet_minutes" ADD CONSTRAINT "meet_minutes_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_minutes" ADD CONSTRAINT "meet_minutes_writer_id_app_user_id_fk" FOREIGN KEY ("writer_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_minutes" ADD CONSTRAINT "meet_minutes_confirmed_by_app_user_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "monitor" ADD CONSTRAINT "monitor_project_id_customer_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."customer_project"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "monitor" ADD CONSTRAINT "monitor_depends_on_monitor_project_id_fk" FOREIGN KEY ("depends_on") REFERENCES "public"."monitor"("project_id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "number_book" ADD CONSTRAINT "number_book_rule_id_number_rule_id_fk" FOREIGN KEY ("rule_id") REFERENCES "public"."number_rule"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "number_book" ADD CONSTRAINT "number_book_document_id_document_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "number_book" ADD CONSTRAINT "number_book_made_by_app_user_id_fk" FOREIGN KEY ("made_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "number_book" ADD CONSTRAINT "number_book_voided_by_app_user_id_fk" FOREIGN KEY ("voided_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_office" ADD CONSTRAINT "meet_office_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_opinion" ADD CONSTRAINT "supervise_opinion_supervise_id_supervise_id_fk" FOREIGN KEY ("supervise_id") REFERENCES "public"."supervise"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "supervise_opinion" ADD CONSTRAINT "supervise_opinion_sub_id_supervise_sub_id_fk" FOREIGN KEY ("sub_id") REFERENCES "public"."supervise_sub"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "supervise_opinion" ADD CONSTRAINT "supervise_opinion_author_app_user_id_fk" FOREIGN KEY ("author") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "order_asset" ADD CONSTRAINT "order_asset_category_id_order_category_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."order_category"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "order_category" ADD CONSTRAINT "order_category_team_id_dept_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "order_comment" ADD CONSTRAINT "order_comment_order_id_repair_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."repair_order"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "order_comment" ADD CONSTRAINT "order_comment_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "order_event" ADD CONSTRAINT "order_event_order_id_repair_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."repair_order"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "order_event" ADD CONSTRAINT "order_event_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "order_material" ADD CONSTRAINT "order_material_order_id_repair_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."repair_order"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "order_material" ADD CONSTRAINT "order_material_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "repair_order" ADD CONSTRAINT "repair_order_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "repair_order" ADD CONSTRAINT "repair_order_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "repair_order" ADD CONSTRAINT "repair_order_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "repair_order" ADD CONSTRAINT "repair_order_category_id_order_category_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."order_category"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "repair_order" ADD CONSTRAINT "repair_order_asset_id_order_asset_id_fk" FOREIGN KEY ("asset_id") REFERENCES "public"."order_asset"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "repair_order" ADD CONSTRAINT "repair_order_reporter_id_app_user_id_fk" FOREIGN KEY ("reporter_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "repair_order" ADD CONSTRAINT "repair_order_team_id_dept_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "repair_order" ADD CONSTRAINT "repair_order_handler_id_app_user_id_fk" FOREIGN KEY ("handler_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "photo_original" ADD CONSTRAINT "photo_original_photo_id_photo_id_fk" FOREIGN KEY ("photo_id") REFERENCES "public"."photo"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "photo_original" ADD CONSTRAINT "photo_original_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "photo_original" ADD CONSTRAINT "photo_original_decided_by_app_user_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder_paper" ADD CONSTRAINT "folder_paper_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder_paper" ADD CONSTRAINT "folder_paper_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder_paper" ADD CONSTRAINT "folder_paper_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder_paper" ADD CONSTRAINT "folder_paper_category_id_folder_category_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."folder_category"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder_paper" ADD CONSTRAINT "folder_paper_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder_paper" ADD CONSTRAINT "folder_paper_source_document_id_document_id_fk" FOREIGN KEY ("source_document_id") REFERENCES "public"."document"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder_paper" ADD CONSTRAINT "folder_paper_replaces" FOREIGN KEY ("replace_id") REFERENCES "public"."folder_paper"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "password_history" ADD CONSTRAINT "password_history_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "photo" ADD CONSTRAINT "photo_category_id_photo_category_id_fk" FOREIGN KEY ("category_id") REFERENCES "public"."photo_category"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "photo" ADD CONSTRAINT "photo_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "photo" ADD CONSTRAINT "photo_uploader_id_app_user_id_fk" FOREIGN KEY ("uploader_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "photo" ADD CONSTRAINT "photo_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "photo" ADD CONSTRAINT "photo_reviewer_id_app_user_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "photo" ADD CONSTRAINT "photo_deleted_by_app_user_id_fk" FOREIGN KEY ("deleted_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "photo" ADD CONSTRAINT "photo_alike" FOREIGN KEY ("alike_id") REFERENCES "public"."photo"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "photo" ADD CONSTRAINT "photo_burst" FOREIGN KEY ("burst_id") REFERENCES "public"."photo"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "stamp_picture" ADD CONSTRAINT "stamp_picture_line_id_stamp_line_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."stamp_line"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_picture" ADD CONSTRAINT "stamp_picture_custody_id_stamp_custody_id_fk" FOREIGN KEY ("custody_id") REFERENCES "public"."stamp_custody"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "stamp_picture" ADD CONSTRAINT "stamp_picture_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_picture" ADD CONSTRAINT "stamp_picture_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_plan" ADD CONSTRAINT "duty_plan_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_plan" ADD CONSTRAINT "duty_plan_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_plan" ADD CONSTRAINT "duty_plan_keeper_id_app_user_id_fk" FOREIGN KEY ("keeper_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_plan" ADD CONSTRAINT "supervise_plan_supervise_id_supervise_id_fk" FOREIGN KEY ("supervise_id") REFERENCES "public"."supervise"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "supervise_plan" ADD CONSTRAINT "supervise_plan_sub_id_supervise_sub_id_fk" FOREIGN KEY ("sub_id") REFERENCES "public"."supervise_sub"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "supervise_plan" ADD CONSTRAINT "supervise_plan_by_app_user_id_fk" FOREIGN KEY ("by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "preference" ADD CONSTRAINT "preference_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_progress" ADD CONSTRAINT "supervise_progress_supervise_id_supervise_id_fk" FOREIGN KEY ("supervise_id") REFERENCES "public"."supervise"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "supervise_progress" ADD CONSTRAINT "supervise_progress_reporter_for_app_user_id_fk" FOREIGN KEY ("reporter_for") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_progress" ADD CONSTRAINT "supervise_progress_checker_app_user_id_fk" FOREIGN KEY ("checker") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_progress" ADD CONSTRAINT "supervise_progress_checker_for_app_user_id_fk" FOREIGN KEY ("checker_for") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_progress" ADD CONSTRAINT "supervise_progress_sub_id_supervise_sub_id_fk" FOREIGN KEY ("sub_id") REFERENCES "public"."supervise_sub"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "supervise_progress" ADD CONSTRAINT "supervise_progress_reporter_app_user_id_fk" FOREIGN KEY ("reporter") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_project" ADD CONSTRAINT "customer_project_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_project" ADD CONSTRAINT "customer_project_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customer"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_project" ADD CONSTRAINT "customer_project_manager_app_user_id_fk" FOREIGN KEY ("manager") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "push_device" ADD CONSTRAINT "push_device_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder_read" ADD CONSTRAINT "folder_read_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "folder_read" ADD CONSTRAINT "folder_read_paper_id_folder_paper_id_fk" FOREIGN KEY ("paper_id") REFERENCES "public"."folder_paper"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "stamp_recall" ADD CONSTRAINT "stamp_recall_application_id_stamp_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."stamp_application"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_recall" ADD CONSTRAINT "stamp_recall_taken_by_app_user_id_fk" FOREIGN KEY ("taken_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "msg_user" ADD CONSTRAINT "msg_user_msg_id_msg_id_fk" FOREIGN KEY ("msg_id") REFERENCES "public"."msg"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "msg_user" ADD CONSTRAINT "msg_user_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "msg_reminder" ADD CONSTRAINT "msg_reminder_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "monitor_report" ADD CONSTRAINT "monitor_report_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customer"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "monitor_report" ADD CONSTRAINT "monitor_report_confirmed_by_app_user_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_request" ADD CONSTRAINT "supervise_request_supervise_id_supervise_id_fk" FOREIGN KEY ("supervise_id") REFERENCES "public"."supervise"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "supervise_request" ADD CONSTRAINT "supervise_request_to_app_user_id_fk" FOREIGN KEY ("to") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_request" ADD CONSTRAINT "supervise_request_by_for_app_user_id_fk" FOREIGN KEY ("by_for") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_request" ADD CONSTRAINT "supervise_request_decider_app_user_id_fk" FOREIGN KEY ("decider") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_request" ADD CONSTRAINT "supervise_request_sub_id_supervise_sub_id_fk" FOREIGN KEY ("sub_id") REFERENCES "public"."supervise_sub"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "supervise_request" ADD CONSTRAINT "supervise_request_by_app_user_id_fk" FOREIGN KEY ("by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "role_menu_button" ADD CONSTRAINT "role_menu_button_role_id_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."role"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "role_menu_button" ADD CONSTRAINT "role_menu_button_menu_button_id_menu_button_id_fk" FOREIGN KEY ("menu_button_id") REFERENCES "public"."menu_button"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "role_menu" ADD CONSTRAINT "role_menu_role_id_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."role"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "role_menu" ADD CONSTRAINT "role_menu_menu_id_menu_id_fk" FOREIGN KEY ("menu_id") REFERENCES "public"."menu"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "role_scope_dept" ADD CONSTRAINT "role_scope_dept_role_id_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."role"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "meet_room" ADD CONSTRAINT "meet_room_office_id_meet_office_id_fk" FOREIGN KEY ("office_id") REFERENCES "public"."meet_office"("id") ON DELETE restrict ON UPDATE no action;
ALTER TABLE "workflow_schedule_run" ADD CONSTRAINT "workflow_schedule_run_schedule_id_workflow_schedule_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."workflow_schedule"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "workflow_schedule_run" ADD CONSTRAINT "workflow_schedule_run_handled_by_app_user_id_fk" FOREIGN KEY ("handled_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leader_schedule" ADD CONSTRAINT "leader_schedule_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leader_schedule" ADD CONSTRAINT "leader_schedule_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leader_schedule" ADD CONSTRAINT "leader_schedule_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leader_schedule" ADD CONSTRAINT "leader_schedule_address_id_leader_address_id_fk" FOREIGN KEY ("address_id") REFERENCES "public"."leader_address"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "leader_schedule" ADD CONSTRAINT "leader_schedule_contact_id_app_user_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leader_schedule" ADD CONSTRAINT "leader_schedule_forced_by_app_user_id_fk" FOREIGN KEY ("forced_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leader_schedule" ADD CONSTRAINT "leader_schedule_acting_id_app_user_id_fk" FOREIGN KEY ("acting_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "workflow_schedule" ADD CONSTRAINT "workflow_schedule_workflow_id_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflow"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "workflow_schedule" ADD CONSTRAINT "workflow_schedule_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "workflow_schedule" ADD CONSTRAINT "workflow_schedule_person_id_app_user_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "photo_score" ADD CONSTRAINT "photo_score_reviewer_id_app_user_id_fk" FOREIGN KEY ("reviewer_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "second_factor" ADD CONSTRAINT "second_factor_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "secretary" ADD CONSTRAINT "secretary_secretary_id_app_user_id_fk" FOREIGN KEY ("secretary_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "secretary" ADD CONSTRAINT "secretary_leader_id_app_user_id_fk" FOREIGN KEY ("leader_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_seen" ADD CONSTRAINT "supervise_seen_supervise_id_supervise_id_fk" FOREIGN KEY ("supervise_id") REFERENCES "public"."supervise"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "supervise_seen" ADD CONSTRAINT "supervise_seen_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_series" ADD CONSTRAINT "meet_series_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "shared_view" ADD CONSTRAINT "shared_view_role_id_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."role"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "shared_view" ADD CONSTRAINT "shared_view_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_sheet" ADD CONSTRAINT "supervise_sheet_supervise_id_supervise_id_fk" FOREIGN KEY ("supervise_id") REFERENCES "public"."supervise"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "supervise_sheet" ADD CONSTRAINT "supervise_sheet_owner_app_user_id_fk" FOREIGN KEY ("owner") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_sheet" ADD CONSTRAINT "supervise_sheet_issuer_app_user_id_fk" FOREIGN KEY ("issuer") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_sheet" ADD CONSTRAINT "supervise_sheet_sub_id_supervise_sub_id_fk" FOREIGN KEY ("sub_id") REFERENCES "public"."supervise_sub"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "supervise_sheet" ADD CONSTRAINT "supervise_sheet_dept_dept_id_fk" FOREIGN KEY ("dept") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_sheet" ADD CONSTRAINT "supervise_sheet_received_by_app_user_id_fk" FOREIGN KEY ("received_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_shift" ADD CONSTRAINT "duty_shift_plan_id_duty_plan_id_fk" FOREIGN KEY ("plan_id") REFERENCES "public"."duty_plan"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_shift" ADD CONSTRAINT "duty_shift_taken_by_app_user_id_fk" FOREIGN KEY ("taken_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_slot" ADD CONSTRAINT "stamp_slot_stamp_id_stamp_id_fk" FOREIGN KEY ("stamp_id") REFERENCES "public"."stamp"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sms_batch" ADD CONSTRAINT "sms_batch_sender_id_app_user_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sms_batch" ADD CONSTRAINT "sms_batch_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sms_batch" ADD CONSTRAINT "sms_batch_template_id_sms_template_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."sms_template"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sms_batch" ADD CONSTRAINT "sms_batch_released_by_app_user_id_fk" FOREIGN KEY ("released_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sms_group" ADD CONSTRAINT "sms_group_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sms_log" ADD CONSTRAINT "sms_log_batch_id_sms_batch_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."sms_batch"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sms_log" ADD CONSTRAINT "sms_log_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sms_log" ADD CONSTRAINT "sms_log_alumnus_id_alumnus_id_fk" FOREIGN KEY ("alumnus_id") REFERENCES "public"."alumnus"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sms_log" ADD CONSTRAINT "sms_log_template_id_sms_template_id_fk" FOREIGN KEY ("template_id") REFERENCES "public"."sms_template"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sms_log" ADD CONSTRAINT "sms_log_sender_id_app_user_id_fk" FOREIGN KEY ("sender_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sms_log" ADD CONSTRAINT "sms_log_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sms_opt_out" ADD CONSTRAINT "sms_opt_out_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sso_identity" ADD CONSTRAINT "sso_identity_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_stage" ADD CONSTRAINT "supervise_stage_sub_id_supervise_sub_id_fk" FOREIGN KEY ("sub_id") REFERENCES "public"."supervise_sub"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "stamp_dept" ADD CONSTRAINT "stamp_dept_stamp_id_stamp_id_fk" FOREIGN KEY ("stamp_id") REFERENCES "public"."stamp"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "stamp_dept" ADD CONSTRAINT "stamp_dept_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp" ADD CONSTRAINT "stamp_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp" ADD CONSTRAINT "stamp_keeper_id_app_user_id_fk" FOREIGN KEY ("keeper_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp" ADD CONSTRAINT "stamp_backup_id_app_user_id_fk" FOREIGN KEY ("backup_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp" ADD CONSTRAINT "stamp_supervisor_id_app_user_id_fk" FOREIGN KEY ("supervisor_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp" ADD CONSTRAINT "stamp_picture_id_file_id_fk" FOREIGN KEY ("picture_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp" ADD CONSTRAINT "stamp_workflow_id_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflow"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stand_in" ADD CONSTRAINT "stand_in_from_id_app_user_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stand_in" ADD CONSTRAINT "stand_in_to_id_app_user_id_fk" FOREIGN KEY ("to_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stand_in" ADD CONSTRAINT "stand_in_set_by_app_user_id_fk" FOREIGN KEY ("set_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "monitor_state" ADD CONSTRAINT "monitor_state_project_id_monitor_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."monitor"("project_id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "monitor_status_page" ADD CONSTRAINT "monitor_status_page_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customer"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_sub" ADD CONSTRAINT "supervise_sub_supervise_id_supervise_id_fk" FOREIGN KEY ("supervise_id") REFERENCES "public"."supervise"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "supervise_sub" ADD CONSTRAINT "supervise_sub_dept_dept_id_fk" FOREIGN KEY ("dept") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_sub" ADD CONSTRAINT "supervise_sub_owner_app_user_id_fk" FOREIGN KEY ("owner") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise_sub" ADD CONSTRAINT "supervise_sub_opened_by_app_user_id_fk" FOREIGN KEY ("opened_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise" ADD CONSTRAINT "supervise_leader_app_user_id_fk" FOREIGN KEY ("leader") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise" ADD CONSTRAINT "supervise_owner_app_user_id_fk" FOREIGN KEY ("owner") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise" ADD CONSTRAINT "supervise_finish_by_app_user_id_fk" FOREIGN KEY ("finish_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise" ADD CONSTRAINT "supervise_supervisor_app_user_id_fk" FOREIGN KEY ("supervisor") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise" ADD CONSTRAINT "supervise_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "supervise" ADD CONSTRAINT "supervise_lead_dept_dept_id_fk" FOREIGN KEY ("lead_dept") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_swap" ADD CONSTRAINT "duty_swap_shift_id_duty_shift_id_fk" FOREIGN KEY ("shift_id") REFERENCES "public"."duty_shift"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_swap" ADD CONSTRAINT "duty_swap_from_id_app_user_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_swap" ADD CONSTRAINT "duty_swap_with_id_app_user_id_fk" FOREIGN KEY ("with_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_swap" ADD CONSTRAINT "duty_swap_their_shift_duty_shift_id_fk" FOREIGN KEY ("their_shift") REFERENCES "public"."duty_shift"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_swap" ADD CONSTRAINT "duty_swap_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "duty_swap" ADD CONSTRAINT "duty_swap_confirmed_by_app_user_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "photo_tag" ADD CONSTRAINT "photo_tag_photo_id_photo_id_fk" FOREIGN KEY ("photo_id") REFERENCES "public"."photo"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ticket_card" ADD CONSTRAINT "ticket_card_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ticket_card" ADD CONSTRAINT "ticket_card_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket_card" ADD CONSTRAINT "ticket_card_notice_id_custom_notice_id_fk" FOREIGN KEY ("notice_id") REFERENCES "public"."custom_notice"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ticket_card" ADD CONSTRAINT "ticket_card_delivery_id_delivery_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."delivery"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "ticket_cc" ADD CONSTRAINT "ticket_cc_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ticket_cc" ADD CONSTRAINT "ticket_cc_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket_cc" ADD CONSTRAINT "ticket_cc_from_id_app_user_id_fk" FOREIGN KEY ("from_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket_event_push" ADD CONSTRAINT "ticket_event_push_token_id_app_token_id_fk" FOREIGN KEY ("token_id") REFERENCES "public"."app_token"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ticket_event_push" ADD CONSTRAINT "ticket_event_push_delivery_id_delivery_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."delivery"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "ticket_event" ADD CONSTRAINT "ticket_event_log_id_ticket_log_id_fk" FOREIGN KEY ("log_id") REFERENCES "public"."ticket_log"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ticket_inquiry" ADD CONSTRAINT "ticket_inquiry_token" FOREIGN KEY ("ticket_id","token_no") REFERENCES "public"."ticket_token"("ticket_id","no") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ticket_log_file" ADD CONSTRAINT "ticket_log_file_log_id_ticket_log_id_fk" FOREIGN KEY ("log_id") REFERENCES "public"."ticket_log"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket_log_file" ADD CONSTRAINT "ticket_log_file_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket_log" ADD CONSTRAINT "ticket_log_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket_log" ADD CONSTRAINT "ticket_log_actor_id_app_user_id_fk" FOREIGN KEY ("actor_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket_log" ADD CONSTRAINT "ticket_log_on_behalf_id_app_user_id_fk" FOREIGN KEY ("on_behalf_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket_log" ADD CONSTRAINT "ticket_log_signature_file_id_file_id_fk" FOREIGN KEY ("signature_file_id") REFERENCES "public"."file"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket_look" ADD CONSTRAINT "ticket_look_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ticket_look" ADD CONSTRAINT "ticket_look_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket" ADD CONSTRAINT "ticket_workflow_id_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflow"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket" ADD CONSTRAINT "ticket_version_id_workflow_version_id_fk" FOREIGN KEY ("version_id") REFERENCES "public"."workflow_version"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket" ADD CONSTRAINT "ticket_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket" ADD CONSTRAINT "ticket_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket" ADD CONSTRAINT "ticket_parent" FOREIGN KEY ("parent_ticket_id") REFERENCES "public"."ticket"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket_task" ADD CONSTRAINT "ticket_task_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ticket_task" ADD CONSTRAINT "ticket_task_assignee_id_app_user_id_fk" FOREIGN KEY ("assignee_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket_task" ADD CONSTRAINT "ticket_task_on_behalf_id_app_user_id_fk" FOREIGN KEY ("on_behalf_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket_task" ADD CONSTRAINT "ticket_task_agent_id_app_user_id_fk" FOREIGN KEY ("agent_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ticket_task" ADD CONSTRAINT "ticket_task_token" FOREIGN KEY ("ticket_id","token_no") REFERENCES "public"."ticket_token"("ticket_id","no") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "ticket_token" ADD CONSTRAINT "ticket_token_ticket_id_ticket_id_fk" FOREIGN KEY ("ticket_id") REFERENCES "public"."ticket"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "meet_topic" ADD CONSTRAINT "meet_topic_meet_id_meet_id_fk" FOREIGN KEY ("meet_id") REFERENCES "public"."meet"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "file_upload" ADD CONSTRAINT "file_upload_file_id_file_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."file"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "stamp_use" ADD CONSTRAINT "stamp_use_stamp_id_stamp_id_fk" FOREIGN KEY ("stamp_id") REFERENCES "public"."stamp"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_use" ADD CONSTRAINT "stamp_use_line_id_stamp_line_id_fk" FOREIGN KEY ("line_id") REFERENCES "public"."stamp_line"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_use" ADD CONSTRAINT "stamp_use_application_id_stamp_application_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."stamp_application"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_use" ADD CONSTRAINT "stamp_use_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_use" ADD CONSTRAINT "stamp_use_operator_id_app_user_id_fk" FOREIGN KEY ("operator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_use" ADD CONSTRAINT "stamp_use_keeper_id_app_user_id_fk" FOREIGN KEY ("keeper_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_use" ADD CONSTRAINT "stamp_use_confirmed_by_app_user_id_fk" FOREIGN KEY ("confirmed_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stamp_use" ADD CONSTRAINT "stamp_use_corrects" FOREIGN KEY ("corrects_id") REFERENCES "public"."stamp_use"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "user_dept" ADD CONSTRAINT "user_dept_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "user_dept" ADD CONSTRAINT "user_dept_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "user_role" ADD CONSTRAINT "user_role_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "user_role" ADD CONSTRAINT "user_role_role_id_role_id_fk" FOREIGN KEY ("role_id") REFERENCES "public"."role"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "app_user" ADD CONSTRAINT "app_user_dept_id_dept_id_fk" FOREIGN KEY ("dept_id") REFERENCES "public"."dept"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "photo_view" ADD CONSTRAINT "photo_view_photo_id_photo_id_fk" FOREIGN KEY ("photo_id") REFERENCES "public"."photo"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "photo_view" ADD CONSTRAINT "photo_view_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_visit" ADD CONSTRAINT "customer_visit_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_visit" ADD CONSTRAINT "customer_visit_customer_id_customer_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customer"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_visit" ADD CONSTRAINT "customer_visit_contact_id_customer_contact_id_fk" FOREIGN KEY ("contact_id") REFERENCES "public"."customer_contact"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_waiting" ADD CONSTRAINT "meet_waiting_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "meet_waiting" ADD CONSTRAINT "meet_waiting_room_id_meet_room_id_fk" FOREIGN KEY ("room_id") REFERENCES "public"."meet_room"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "meet_waiting" ADD CONSTRAINT "meet_waiting_office_id_meet_office_id_fk" FOREIGN KEY ("office_id") REFERENCES "public"."meet_office"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "meet_waiting" ADD CONSTRAINT "meet_waiting_offered_room_meet_room_id_fk" FOREIGN KEY ("offered_room") REFERENCES "public"."meet_room"("id") ON DELETE set null ON UPDATE no action;
ALTER TABLE "wechat_identity" ADD CONSTRAINT "wechat_identity_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "leader_week" ADD CONSTRAINT "leader_week_published_by_app_user_id_fk" FOREIGN KEY ("published_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "monitor_window" ADD CONSTRAINT "monitor_window_created_by_app_user_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "workflow_grant" ADD CONSTRAINT "workflow_grant_workflow_id_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflow"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "workflow" ADD CONSTRAINT "workflow_creator_id_app_user_id_fk" FOREIGN KEY ("creator_id") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "workflow_version" ADD CONSTRAINT "workflow_version_workflow_id_workflow_id_fk" FOREIGN KEY ("workflow_id") REFERENCES "public"."workflow"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "workflow_version" ADD CONSTRAINT "workflow_version_published_by_app_user_id_fk" FOREIGN KEY ("published_by") REFERENCES "public"."app_user"("id") ON DELETE no action ON UPDATE no action;
CREATE UNIQUE INDEX "activity_change_pending" ON "activity_change" USING btree ("record_id") WHERE not "activity_change"."is_deleted" and "activity_change"."act_state" in (0, 1, 2, 3, 6);
CREATE INDEX "activity_guest_of" ON "activity_guest" USING btree ("activity_id","no");
CREATE INDEX "activity_guest_who" ON "activity_guest" USING btree ("name","org");
CREATE INDEX "activity_guest_search" ON "activity_guest" USING gin ("search");
CREATE INDEX "activity_leader_who" ON "activity_leader" USING btree ("user_id");
CREATE INDEX "activity_round_of" ON "activity_round" USING btree ("activity_id");
CREATE INDEX "activity_newest" ON "activity" USING btree ("gmt_created","id");
CREATE INDEX "activity_start" ON "activity" USING btree ("start_time");
CREATE INDEX "activity_open" ON "activity" USING btree ("end_time") WHERE "activity"."act_state" in (1, 4) and "activity"."activity_status" in (0, 1);
CREATE INDEX "activity_unsummarised" ON "activity" USING btree ("dept_id","summary_due") WHERE "activity"."activity_status" = 2;
CREATE INDEX "activity_creator" ON "activity" USING btree ("creator_id");
CREATE INDEX "activity_search" ON "activity" USING gin ("search");
CREATE UNIQUE INDEX "leader_address_once" ON "leader_address" USING btree (coalesce("owner_id", 0),lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')));
CREATE INDEX "leader_address_search" ON "leader_address" USING gin ("search");
CREATE UNIQUE INDEX "photo_category_name" ON "photo_category" USING btree (coalesce("parent_id", 0),lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')));
CREATE INDEX "photo_category_audience" ON "photo_category" USING gin ("audience");
CREATE INDEX "monitor_alert_waiting" ON "monitor_alert" USING btree ("customer_id") WHERE "monitor_alert"."sent_at" is null;
CREATE INDEX "monitor_alert_record" ON "monitor_alert" USING btree ("record_id");
CREATE INDEX "stamp_alert_open" ON "stamp_alert" USING btree ("handled","id");
CREATE UNIQUE INDEX "alumnus_student_no" ON "alumnus" USING btree ("student_no");
CREATE INDEX "alumnus_college" ON "alumnus" USING btree ("college","graduate_year");
CREATE INDEX "alumnus_mobile" ON "alumnus" USING btree ("mobile_mark");
CREATE INDEX "alumnus_tail" ON "alumnus" USING btree ("mobile_tail");
CREATE INDEX "alumnus_search" ON "alumnus" USING gin ("search");
CREATE UNIQUE INDEX "app_token_name_unique" ON "app_token" USING btree (lower(regexp_replace(normalize(translate("app_name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')));
CREATE INDEX "app_token_creator" ON "app_token" USING btree ("creator_id");
CREATE INDEX "app_token_use_expires" ON "app_token_use" USING btree ("expires_at");
CREATE INDEX "stamp_file_sha" ON "stamp_file" USING btree ("sha256");
CREATE INDEX "stamp_application_search" ON "stamp_application" USING gin ("search");
CREATE INDEX "stamp_application_source" ON "stamp_application" USING btree ("source_module","source_id");
CREATE INDEX "stamp_application_latest" ON "stamp_application" USING btree ("gmt_created","id");
CREATE INDEX "stamp_application_operator" ON "stamp_application" USING btree ("operator_id");
CREATE INDEX "stamp_application_need" ON "stamp_application" USING btree ("need_at","id");
CREATE INDEX "stamp_application_open" ON "stamp_application" USING btree ("due_day","id") WHERE "stamp_application"."seal_status" in (1, 3);
CREATE INDEX "stamp_application_lent" ON "stamp_application" USING btree ("borrow_end") WHERE "stamp_application"."use_type" = 2 and "stamp_application"."seal_status" in (0, 1, 3);
CREATE INDEX "stamp_application_uncopied" ON "stamp_application" USING btree ("copy_due") WHERE "stamp_application"."copy_at" is null and "stamp_application"."copy_due" is not null;
CREATE INDEX "wait_aside_until" ON "wait_aside" USING btree ("until");
CREATE INDEX "wait_aside_page" ON "wait_aside" USING btree ("web_path");
CREATE INDEX "attempt_expires" ON "attempt" USING btree ("expires_at");
CREATE INDEX "leader_attend_leader" ON "leader_attend" USING btree ("leader_id","schedule_id");
CREATE INDEX "meet_attendee_user" ON "meet_attendee" USING btree ("user_id","meet_id");
CREATE INDEX "meet_attendee_substitute" ON "meet_attendee" USING btree ("substitute_id");
CREATE INDEX "meet_blackout_room" ON "meet_blackout" USING btree ("room_id","start_time");
CREATE INDEX "booking_time" ON "booking" USING btree ("resource","start_time");
CREATE UNIQUE INDEX "folder_category_code" ON "folder_category" USING btree ("code") WHERE "folder_category"."code" <> '';
CREATE UNIQUE INDEX "folder_category_name" ON "folder_category" USING btree (coalesce("parent_id", 0),lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')));
CREATE INDEX "folder_category_audience" ON "folder_category" USING gin ("audience");
CREATE INDEX "leader_change_schedule" ON "leader_change" USING btree ("schedule_id","id");
CREATE UNIQUE INDEX "meet_change_pending" ON "meet_change" USING btree ("record_id") WHERE not "meet_change"."is_deleted" and "meet_change"."act_state" in (0, 1, 2, 3, 6);
CREATE INDEX "folder_collect_paper" ON "folder_collect" USING btree ("paper_id");
CREATE UNIQUE INDEX "confirmed_mail_address" ON "confirmed_mail" USING btree ("address");
CREATE UNIQUE INDEX "customer_contact_mobile" ON "customer_contact" USING btree ("customer_id","mobile_mark") WHERE not "customer_contact"."is_deleted";
CREATE UNIQUE INDEX "customer_contact_primary" ON "customer_contact" USING btree ("customer_id") WHERE "customer_contact"."is_primary" and not "customer_contact"."is_deleted";
CREATE INDEX "customer_contact_tail" ON "customer_contact" USING btree ("mobile_tail");
CREATE INDEX "customer_contact_search" ON "customer_contact" USING gin ("search");
CREATE UNIQUE INDEX "contract_category_name" ON "contract_category" USING btree (coalesce("parent_id", 0),lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')));
CREATE INDEX "contract_entry_contract" ON "contract_entry" USING btree ("contract_id");
CREATE INDEX "contract_entry_performance" ON "contract_entry" USING btree ("performance_id");
CREATE INDEX "contract_entry_voucher" ON "contract_entry" USING btree (regexp_replace(lower(regexp_replace(normalize(translate("voucher_no", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')), '[\-\u058A\u05BE\u2010-\u2015\u2E3A\u2E3B\u301C\u3030\u30A0]', '', 'g')) WHERE "contract_entry"."voucher_no" <> '';
CREATE INDEX "contract_entry_invoice" ON "contract_entry" USING btree (regexp_replace(lower(regexp_replace(normalize(translate("invoice_no", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')), '[\-\u058A\u05BE\u2010-\u2015\u2E3A\u2E3B\u301C\u3030\u30A0]', '', 'g')) WHERE "contract_entry"."invoice_no" <> '';
CREATE INDEX "contract_event_contract" ON "contract_event" USING btree ("contract_id","id");
CREATE UNIQUE INDEX "contract_event_supplement_once" ON "contract_event" USING btree ("supplement_id") WHERE "contract_event"."type" = 'change';
CREATE UNIQUE INDEX "contract_number_living" ON "contract_number" USING btree ("contract_id") WHERE "contract_number"."state" = 1;
CREATE UNIQUE INDEX "contract_party_credit_code" ON "contract_party" USING btree ("credit_code") WHERE "contract_party"."credit_code" <> '';
CREATE UNIQUE INDEX "contract_party_name" ON "contract_party" USING btree ("plain_name") WHERE "contract_party"."merged_id" is null;
CREATE INDEX "contract_party_search" ON "contract_party" USING gin ("search");
CREATE INDEX "contract_performance_contract" ON "contract_performance" USING btree ("contract_id","plan_date");
CREATE INDEX "contract_performance_day" ON "contract_performance" USING btree ("plan_date","id");
CREATE INDEX "contract_performance_open" ON "contract_performance" USING btree ("plan_date","contract_id") WHERE "contract_performance"."is_open";
CREATE INDEX "contract_performance_flow" ON "contract_performance" USING btree ("plan_date","kind","direction","is_open","plan_amount","done_amount","contract_id") WHERE not "contract_performance"."cancelled";
CREATE INDEX "contract_performance_handler" ON "contract_performance" USING btree ("handler");
CREATE INDEX "contract_side_party" ON "contract_side" USING btree ("party_id");
CREATE UNIQUE INDEX "contract_no_once" ON "contract" USING btree ("contract_no") WHERE "contract"."contract_no" <> '';
CREATE UNIQUE INDEX "contract_archive_no_once" ON "contract" USING btree (lower(regexp_replace(normalize(translate("archive_no", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g'))) WHERE "contract"."archive_no" <> '';
CREATE INDEX "contract_latest" ON "contract" USING btree ("gmt_created","id");
CREATE INDEX "contract_sent" ON "contract" USING btree ("gmt_created","id") WHERE "contract"."act_state" <> 0;
CREATE INDEX "contract_stage" ON "contract" USING btree ("stage","id");
CREATE INDEX "contract_stage_end" ON "contract" USING btree ("stage","term_end");
CREATE INDEX "contract_category_year" ON "contract" USING btree ("category_id","dept_id","gmt_created");
CREATE INDEX "contract_parent_index" ON "contract" USING btree ("parent_id");
CREATE INDEX "contract_disputed" ON "contract" USING btree ("id") WHERE "contract"."open_disputes" > 0;
CREATE INDEX "contract_undertaker" ON "contract" USING btree ("undertaker");
CREATE INDEX "contract_search" ON "contract" USING gin ("search");
CREATE UNIQUE INDEX "contract_template_name" ON "contract_template" USING btree (lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')));
CREATE INDEX "contract_template_category" ON "contract_template" USING btree ("category_id");
CREATE INDEX "stamp_custody_of" ON "stamp_custody" USING btree ("stamp_id","id");
CREATE INDEX "stamp_custody_waits" ON "stamp_custody" USING btree ("to_id") WHERE "stamp_custody"."state" = 0;
CREATE UNIQUE INDEX "stamp_custody_one_handover" ON "stamp_custody" USING btree ("stamp_id") WHERE "stamp_custody"."state" = 0 and "stamp_custody"."kind" in (2, 11, 12);
CREATE UNIQUE INDEX "custom_notice_name_unique" ON "custom_notice" USING btree (lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')));
CREATE UNIQUE INDEX "customer_name" ON "customer" USING btree ("plain_name") WHERE not "customer"."is_deleted";
CREATE UNIQUE INDEX "customer_code" ON "customer" USING btree ("code") WHERE "customer"."code" <> '' and not "customer"."is_deleted";
CREATE UNIQUE INDEX "customer_credit_code" ON "customer" USING btree ("credit_code") WHERE "customer"."credit_code" <> '' and not "customer"."is_deleted";
CREATE INDEX "customer_dept" ON "customer" USING btree ("dept_id");
CREATE INDEX "customer_owner" ON "customer" USING btree ("owner");
CREATE INDEX "customer_tags" ON "customer" USING gin ("tags");
CREATE INDEX "customer_search" ON "customer" USING gin ("search");
CREATE UNIQUE INDEX "database_history_timeline" ON "database_history" USING btree ("system","timeline") WHERE "database_history"."replaces" is null and "database_history"."epoch" = "database_history"."mark";
CREATE INDEX "database_history_replaces" ON "database_history" USING btree ("replaces") WHERE "database_history"."replaces" is not null;
CREATE INDEX "delivery_channel" ON "delivery" USING btree ("channel","id");
CREATE INDEX "delivery_state" ON "delivery" USING btree ("state","id");
CREATE INDEX "delivery_user" ON "delivery" USING btree ("user_id","id");
CREATE INDEX "delivery_created" ON "delivery" USING btree ("gmt_created");
CREATE INDEX "delivery_search" ON "delivery" USING gin ("search");
CREATE INDEX "delivery_object" ON "delivery" USING btree ("module","object_id");
CREATE INDEX "delivery_ended" ON "delivery" USING btree ("gmt_modified") WHERE "delivery"."state" in ('sent', 'given_up', 'cancelled');
CREATE INDEX "delivery_unsent" ON "delivery" USING btree ("due_at") WHERE "delivery"."state" in ('waiting', 'retrying');
CREATE UNIQUE INDEX "dept_person_one" ON "dept_person" USING btree ("dept_id","part") WHERE "dept_person"."part" in ('leader', 'dept_ld');
CREATE INDEX "dept_person_user" ON "dept_person" USING btree ("user_id","part");
CREATE UNIQUE INDEX "dept_name_unique" ON "dept" USING btree (coalesce("parent_id", 0),lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g'))) WHERE not "dept"."is_deleted";
CREATE UNIQUE INDEX "dept_code_unique" ON "dept" USING btree ("code") WHERE not "dept"."is_deleted";
CREATE INDEX "dept_search" ON "dept" USING gin ("search");
CREATE INDEX "sign_in_device_used" ON "sign_in_device" USING btree ("last_used");
CREATE INDEX "document_dist_event_of" ON "document_dist_event" USING btree ("dist_id","id");
CREATE INDEX "document_dist_event_document" ON "document_dist_event" USING btree ("document_id","id");
CREATE INDEX "document_dist_newest" ON "document_dist" USING btree ("gmt_created","id");
CREATE INDEX "document_dist_document" ON "document_dist" USING btree ("document_id","id");
CREATE INDEX "document_dist_sender" ON "document_dist" USING btree ("sender_id","gmt_created","id");
CREATE INDEX "document_dist_due" ON "document_dist" USING btree ("deadline") WHERE "document_dist"."recalled_at" is null;
CREATE INDEX "document_dist_user_opens" ON "document_dist_user" USING btree ("user_id","document_id","state") WHERE "document_dist_user"."state" <> 3;
CREATE UNIQUE INDEX "document_archive_no_unique" ON "document_archive" USING btree (lower(regexp_replace(normalize(translate("archive_no", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')));
CREATE UNIQUE INDEX "document_category_code_unique" ON "document_category" USING btree ("code") WHERE not "document_category"."is_deleted";
CREATE INDEX "document_edit_of" ON "document_edit" USING btree ("document_id","id");
CREATE INDEX "document_exchange_newest" ON "document_exchange" USING btree ("exchanged_on","id");
CREATE INDEX "document_exchange_by_document" ON "document_exchange" USING btree ("document_id") WHERE "document_exchange"."document_id" is not null;
CREATE UNIQUE INDEX "document_file_one_body" ON "document_file" USING btree ("document_id") WHERE "document_file"."is_body";
CREATE INDEX "document_file_of" ON "document_file" USING btree ("document_id","id");
CREATE UNIQUE INDEX "document_file_version_unique" ON "document_file_version" USING btree ("document_file_id","version_no");
CREATE INDEX "document_file_version_file" ON "document_file_version" USING btree ("file_id");
CREATE INDEX "document_frozen_last" ON "document_frozen" USING btree ("document_id","id");
CREATE INDEX "document_level_log_by_document" ON "document_level_log" USING btree ("document_id","id");
CREATE UNIQUE INDEX "document_marked_paper_unique" ON "document_marked_paper" USING btree ("document_id","digest");
CREATE INDEX "document_notice_newest" ON "document_notice" USING btree ("top","publish_at","id") WHERE not "document_notice"."is_deleted";
CREATE INDEX "document_notice_search" ON "document_notice" USING gin ("search");
CREATE INDEX "document_notice_audience" ON "document_notice" USING gin ("audience");
CREATE UNIQUE INDEX "document_record_task_unique" ON "document_record" USING btree ("document_id","task_no");
CREATE UNIQUE INDEX "document_seal_place" ON "document_seal" USING btree ("document_id","seq");
CREATE INDEX "document_stroke_of" ON "document_stroke" USING btree ("paper_id","id");
CREATE UNIQUE INDEX "document_ticket_unique" ON "document" USING btree ("ticket_id");
CREATE UNIQUE INDEX "document_receipt_unique" ON "document" USING btree ("receipt_no") WHERE "document"."receipt_no" <> '';
CREATE INDEX "document_newest" ON "document" USING btree ("gmt_created","id","act_state") WHERE not "document"."is_deleted";
CREATE INDEX "document_by_kind" ON "document" USING btree ("doc_kind","gmt_created","id") WHERE not "document"."is_deleted";
CREATE INDEX "document_by_dept" ON "document" USING btree ("dept_id","gmt_created","id") WHERE not "document"."is_deleted";
CREATE INDEX "document_by_creator" ON "document" USING btree ("creator_id","gmt_created","id") WHERE not "document"."is_deleted";
CREATE INDEX "document_by_sender" ON "document" USING btree (translate(upper(normalize("from_number", NFKC)), ' 〔〕[]【】()〈〉<>《》〖〗{}「」『』❲❳⟦⟧〘〙〚〛', ''),translate(upper(normalize("from_org", NFKC)), ' 〔〕[]【】()〈〉<>《》〖〗{}「」『』❲❳⟦⟧〘〙〚〛', '')) WHERE "document"."from_number" <> '';
CREATE INDEX "document_search" ON "document" USING gin ("search");
CREATE INDEX "document_by_reply_to" ON "document" USING btree ("reply_to_id","id") WHERE "document"."reply_to_id" is not null;
CREATE INDEX "draft_kept" ON "draft" USING btree ("kept_at");
CREATE INDEX "monitor_due_next" ON "monitor_due" USING btree ("next_at");
CREATE INDEX "duty_change_shift" ON "duty_change" USING btree ("shift_id","id");
CREATE INDEX "duty_person_user" ON "duty_person" USING btree ("user_id","start_time");
CREATE INDEX "duty_entry_shift" ON "duty_entry" USING btree ("shift_id","id");
CREATE INDEX "export_of" ON "export" USING btree ("user_id","id");
CREATE INDEX "export_ended" ON "export" USING btree ("ended_at");
CREATE UNIQUE INDEX "export_once" ON "export" USING btree ("user_id","path",md5(params::text || query::text)) WHERE "export"."ended_at" is null;
CREATE UNIQUE INDEX "feed_code_unique" ON "feed" USING btree ("code_hash");
CREATE INDEX "feed_user" ON "feed" USING btree ("user_id");
CREATE INDEX "file_owner" ON "file" USING btree ("owner_module","owner_id");
CREATE INDEX "file_of_content" ON "file" USING btree ("sha256");
CREATE INDEX "file_loose" ON "file" USING btree ("uploader_id","gmt_created") WHERE "file"."owner_module" is null;
CREATE INDEX "meet_guest_meet" ON "meet_guest" USING btree ("meet_id");
CREATE INDEX "monitor_hour_time" ON "monitor_hour" USING btree ("hour");
CREATE INDEX "idempotency_record_created" ON "idempotency_record" USING btree ("gmt_created");
CREATE INDEX "test_record_event_record" ON "test_record_event" USING btree ("record_id");
CREATE UNIQUE INDEX "test_record_open" ON "test_record" USING btree ("project_id") WHERE "test_record"."end_time" is null;
CREATE INDEX "test_record_project" ON "test_record" USING btree ("project_id","start_time");
CREATE INDEX "test_record_state" ON "test_record" USING btree ("state","start_time");
CREATE UNIQUE INDEX "door_key_number" ON "door_key" USING btree ("number") WHERE not "door_key"."is_deleted";
CREATE INDEX "door_key_keeper" ON "door_key" USING btree ("keeper");
CREATE INDEX "known_device_used" ON "known_device" USING btree ("last_used");
CREATE INDEX "leader_seen_schedule" ON "leader_seen" USING btree ("schedule_id");
CREATE INDEX "stamp_line_stamp" ON "stamp_line" USING btree ("stamp_id","state");
CREATE INDEX "stamp_line_day" ON "stamp_line" USING btree ("stamp_id","day") WHERE "stamp_line"."day" is not null;
CREATE INDEX "stamp_line_unconfirmed" ON "stamp_line" USING btree ("application_id") WHERE "stamp_line"."pending" is not null;
CREATE UNIQUE INDEX "record_link_once" ON "record_link" USING btree ("from_module","from_id","to_module","to_id");
CREATE INDEX "record_link_to" ON "record_link" USING btree ("to_module","to_id");
CREATE UNIQUE INDEX "key_loan_out" ON "key_loan" USING btree ("key_id") WHERE "key_loan"."taken_at" is not null and "key_loan"."returned_at" is null;
CREATE INDEX "key_loan_key" ON "key_loan" USING btree ("key_id");
CREATE INDEX "key_loan_creator" ON "key_loan" USING btree ("creator_id");
CREATE INDEX "key_loan_dept" ON "key_loan" USING btree ("dept_id");
CREATE INDEX "key_loan_newest" ON "key_loan" USING btree ("gmt_created","id");
CREATE INDEX "key_loan_search" ON "key_loan" USING gin ("search");
CREATE UNIQUE INDEX "stamp_loan_one_out" ON "stamp_loan" USING btree ("stamp_id") WHERE "stamp_loan"."returned_at" is null;
CREATE INDEX "stamp_loan_stamp" ON "stamp_loan" USING btree ("stamp_id","out_at");
CREATE INDEX "log_created" ON "log" USING btree ("gmt_created","id");
CREATE INDEX "log_user" ON "log" USING btree ("user_id","id");
CREATE INDEX "log_module" ON "log" USING btree ("module","id");
CREATE INDEX "log_username" ON "log" USING btree ("username","id");
CREATE INDEX "log_action" ON "log" USING btree ("action","id");
CREATE INDEX "log_ip" ON "log" USING btree ("ip","id");
CREATE INDEX "log_ms" ON "log" USING btree ("ms","id");
CREATE INDEX "log_refused" ON "log" USING btree ("id") WHERE "log"."result" <> 0;
CREATE INDEX "log_search" ON "log" USING gin ("search");
CREATE INDEX "log_tombstone" ON "log" USING btree ("id") WHERE "log"."removed" = 2;
CREATE INDEX "log_unsealed" ON "log" USING btree ("id") WHERE "log"."seal" is null;
CREATE INDEX "meet_search" ON "meet" USING gin ("search");
CREATE INDEX "meet_start" ON "meet" USING btree ("start_time","id");
CREATE INDEX "meet_length" ON "meet" USING btree (("end_time" - "start_time"));
CREATE INDEX "meet_latest" ON "meet" USING btree ("gmt_created","id");
CREATE INDEX "meet_room_start" ON "meet" USING btree ("room_id","start_time");
CREATE INDEX "meet_creator" ON "meet" USING btree ("creator_id","start_time");
CREATE INDEX "meet_host" ON "meet" USING btree ("host_id","start_time");
CREATE INDEX "meet_open" ON "meet" USING btree ("end_time") WHERE "meet"."meet_status" in (0, 1) and "meet"."act_state" = 4;
CREATE INDEX "menu_button_button" ON "menu_button" USING btree ("button_id");
CREATE INDEX "menu_component" ON "menu" USING btree ("component");
CREATE INDEX "msg_sender" ON "msg" USING btree ("sender_id","publish_at");
CREATE INDEX "msg_receipts" ON "msg" USING btree ("id") WHERE "msg"."need_receipt" and "msg"."recall_at" is null;
CREATE INDEX "msg_object" ON "msg" USING btree ("module","object_id","event");
CREATE INDEX "msg_search" ON "msg" USING gin ("search");
CREATE UNIQUE INDEX "meet_minutes_open" ON "meet_minutes" USING btree ("meet_id") WHERE "meet_minutes"."state" < 3;
CREATE INDEX "folder_search_miss_day" ON "folder_search_miss" USING btree ("day");
CREATE UNIQUE INDEX "monitor_push_mark" ON "monitor" USING btree ("push_mark");
CREATE UNIQUE INDEX "number_book_unique" ON "number_book" USING btree ("rule_id","year","seq");
CREATE UNIQUE INDEX "number_book_one_a_document" ON "number_book" USING btree ("document_id") WHERE "number_book"."state" = 1;
CREATE UNIQUE INDEX "number_rule_agency_unique" ON "number_rule" USING btree (translate(upper(normalize("agency_code", NFKC)), ' 〔〕[]【】()〈〉<>《》〖〗{}「」『』❲❳⟦⟧〘〙〚〛', '')) WHERE not "number_rule"."is_deleted";
CREATE UNIQUE INDEX "meet_office_name" ON "meet_office" USING btree (lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g'))) WHERE not "meet_office"."is_deleted";
CREATE INDEX "supervise_opinion_item" ON "supervise_opinion" USING btree ("supervise_id","id");
CREATE UNIQUE INDEX "order_asset_no" ON "order_asset" USING btree ("asset_no") WHERE "order_asset"."asset_no" <> '' and not "order_asset"."is_deleted";
CREATE INDEX "order_asset_search" ON "order_asset" USING gin ("search");
CREATE UNIQUE INDEX "order_category_name" ON "order_category" USING btree (lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')));
CREATE INDEX "order_event_of" ON "order_event" USING btree ("order_id","id");
CREATE INDEX "order_event_worked" ON "order_event" USING btree ("order_id","user_id");
CREATE INDEX "order_material_of" ON "order_material" USING btree ("order_id","id");
CREATE INDEX "order_material_newest" ON "order_material" USING btree ("gmt_created","id");
CREATE INDEX "order_newest" ON "repair_order" USING btree ("gmt_created","id") WHERE not "repair_order"."is_deleted" and "repair_order"."act_state" <> 0;
CREATE INDEX "order_stage_newest" ON "repair_order" USING btree ("stage","gmt_created") WHERE not "repair_order"."is_deleted";
CREATE INDEX "order_next" ON "repair_order" USING btree ("next_at") WHERE "repair_order"."next_at" is not null;
CREATE INDEX "order_due" ON "repair_order" USING btree ("due_at") WHERE "repair_order"."due_at" is not null;
CREATE INDEX "order_hung" ON "repair_order" USING btree ("hang_until") WHERE "repair_order"."stage" = 50;
CREATE INDEX "order_place" ON "repair_order" USING btree ("building","room","gmt_created");
CREATE INDEX "order_reporter" ON "repair_order" USING btree ("reporter_id","gmt_created");
CREATE INDEX "order_creator" ON "repair_order" USING btree ("creator_id","gmt_created");
CREATE INDEX "order_handler" ON "repair_order" USING btree ("handler_id","gmt_created");
CREATE INDEX "order_phone" ON "repair_order" USING btree ("phone_mark","gmt_created") WHERE "repair_order"."phone_mark" <> '';
CREATE INDEX "order_merged_into" ON "repair_order" USING btree ("merged_into") WHERE "repair_order"."merged_into" is not null;
CREATE INDEX "order_search" ON "repair_order" USING gin ("search");
CREATE UNIQUE INDEX "photo_original_open" ON "photo_original" USING btree ("photo_id","user_id") WHERE "photo_original"."state" in (0, 1);
CREATE INDEX "photo_original_user" ON "photo_original" USING btree ("user_id","id");
CREATE UNIQUE INDEX "folder_paper_fwh" ON "folder_paper" USING btree (regexp_replace(lower(regexp_replace(normalize(translate("fwh", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')), '[〔〕\[\]()【】]', '', 'g')) WHERE "folder_paper"."fwh" <> '';
CREATE INDEX "folder_paper_number" ON "folder_paper" USING btree (regexp_replace("fwh", '[\s〔〕\[\]［］（）()【】]', '', 'g'));
CREATE INDEX "folder_paper_number_odd" ON "folder_paper" USING btree ("id") WHERE "folder_paper"."fwh" <> '' and regexp_replace("folder_paper"."fwh", '[\s〔〕\[\]［］（）()【】]', '', 'g') !~ '[0-9〇零一二三四五六七八九十百]号$';
CREATE INDEX "folder_paper_title" ON "folder_paper" USING btree ("title");
CREATE INDEX "folder_paper_category" ON "folder_paper" USING btree ("category_id","status");
CREATE INDEX "folder_paper_latest" ON "folder_paper" USING btree ("status","publish_date","id");
CREATE INDEX "folder_paper_search" ON "folder_paper" USING gin ("search");
CREATE INDEX "folder_paper_audience" ON "folder_paper" USING gin ("audience");
CREATE INDEX "password_history_user" ON "password_history" USING btree ("user_id","id");
CREATE UNIQUE INDEX "photo_once" ON "photo" USING btree ("category_id","source_sha256") WHERE "photo"."deleted_at" is null;
CREATE UNIQUE INDEX "photo_top" ON "photo" USING btree ("category_id","top_slot");
CREATE UNIQUE INDEX "photo_com" ON "photo" USING btree ("com_slot");
CREATE INDEX "photo_wall" ON "photo" USING btree ("shot_at","id") WHERE "photo"."state" = 1 and "photo"."deleted_at" is null;
CREATE INDEX "photo_album" ON "photo" USING btree ("category_id","shot_at","id");
CREATE INDEX "photo_mine" ON "photo" USING btree ("uploader_id","id");
CREATE INDEX "photo_source" ON "photo" USING btree ("source_sha256");
CREATE INDEX "photo_state_newest" ON "photo" USING btree ("state","id");
CREATE INDEX "photo_burst_of" ON "photo" USING btree ("burst_id");
CREATE INDEX "photo_alike_of" ON "photo" USING btree ("alike_id");
CREATE INDEX "photo_news" ON "photo" USING btree ("news") WHERE "photo"."news" > 0;
CREATE INDEX "photo_trash" ON "photo" USING btree ("deleted_at") WHERE "photo"."deleted_at" is not null;
CREATE INDEX "photo_search" ON "photo" USING gin ("search");
CREATE INDEX "stamp_picture_line" ON "stamp_picture" USING btree ("line_id","kind");
CREATE INDEX "stamp_picture_custody" ON "stamp_picture" USING btree ("custody_id");
CREATE INDEX "supervise_plan_item" ON "supervise_plan" USING btree ("supervise_id","id");
CREATE UNIQUE INDEX "supervise_progress_one" ON "supervise_progress" USING btree ("sub_id") WHERE "supervise_progress"."check_state" = 0;
CREATE INDEX "supervise_progress_sub" ON "supervise_progress" USING btree ("sub_id","id");
CREATE INDEX "supervise_progress_item" ON "supervise_progress" USING btree ("supervise_id","id");
CREATE UNIQUE INDEX "customer_project_name" ON "customer_project" USING btree ("customer_id","plain_name") WHERE not "customer_project"."is_deleted";
CREATE UNIQUE INDEX "customer_project_code" ON "customer_project" USING btree ("code") WHERE "customer_project"."code" <> '' and not "customer_project"."is_deleted";
CREATE INDEX "customer_project_manager" ON "customer_project" USING btree ("manager");
CREATE INDEX "customer_project_members" ON "customer_project" USING gin ("members");
CREATE INDEX "customer_project_alerts" ON "customer_project" USING gin ("alert_users");
CREATE INDEX "customer_project_search" ON "customer_project" USING gin ("search");
CREATE INDEX "push_device_user" ON "push_device" USING btree ("user_id");
CREATE INDEX "push_device_session" ON "push_device" USING btree ("session_id");
CREATE INDEX "folder_read_user" ON "folder_read" USING btree ("user_id");
CREATE INDEX "stamp_recall_application" ON "stamp_recall" USING btree ("application_id");
CREATE UNIQUE INDEX "msg_user_once" ON "msg_user" USING btree ("msg_id","user_id");
CREATE INDEX "msg_user_of" ON "msg_user" USING btree ("user_id","publish_at","id");
CREATE INDEX "msg_user_unread" ON "msg_user" USING btree ("user_id") WHERE "msg_user"."read_time" is null and "msg_user"."closed_at" is null and not "msg_user"."is_deleted";
CREATE UNIQUE INDEX "redhead_name_unique" ON "redhead" USING btree (lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g'))) WHERE not "redhead"."is_deleted";
CREATE UNIQUE INDEX "redhead_one_default" ON "redhead" USING btree ("is_default") WHERE "redhead"."is_default" and not "redhead"."is_deleted";
CREATE INDEX "log_refusal_first" ON "log_refusal" USING btree ("first_at");
CREATE INDEX "monitor_report_draft" ON "monitor_report" USING btree ("customer_id") WHERE "monitor_report"."state" = 0;
CREATE UNIQUE INDEX "supervise_request_one" ON "supervise_request" USING btree ("sub_id","kind") WHERE "supervise_request"."decided_at" is null;
CREATE INDEX "supervise_request_item" ON "supervise_request" USING btree ("supervise_id","id");
CREATE INDEX "role_menu_button_button" ON "role_menu_button" USING btree ("menu_button_id");
CREATE INDEX "role_menu_menu" ON "role_menu" USING btree ("menu_id");
CREATE INDEX "role_scope_dept_dept" ON "role_scope_dept" USING btree ("dept_id");
CREATE UNIQUE INDEX "role_name_unique" ON "role" USING btree (lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')));
CREATE INDEX "role_search" ON "role" USING gin ("search");
CREATE UNIQUE INDEX "meet_room_name" ON "meet_room" USING btree ("office_id",lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g'))) WHERE not "meet_room"."is_deleted";
CREATE UNIQUE INDEX "workflow_schedule_run_once" ON "workflow_schedule_run" USING btree ("schedule_id","due_at");
CREATE INDEX "workflow_schedule_run_open" ON "workflow_schedule_run" USING btree ("schedule_id") WHERE "workflow_schedule_run"."outcome" = 'failed' and "workflow_schedule_run"."handled_at" is null;
CREATE INDEX "leader_schedule_time" ON "leader_schedule" USING gist (tstzrange("start_time", "end_time"));
CREATE INDEX "leader_schedule_creator" ON "leader_schedule" USING btree ("creator_id","id");
CREATE INDEX "leader_schedule_start" ON "leader_schedule" USING btree ("start_time","id");
CREATE INDEX "leader_schedule_series" ON "leader_schedule" USING btree ("series_id","start_time");
CREATE INDEX "leader_schedule_search" ON "leader_schedule" USING gin ("search");
CREATE UNIQUE INDEX "leader_schedule_source" ON "leader_schedule" USING btree ("source_module","source_id") WHERE "leader_schedule"."source_id" is not null;
CREATE UNIQUE INDEX "workflow_schedule_name_unique" ON "workflow_schedule" USING btree ("workflow_id",lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g'))) WHERE not "workflow_schedule"."is_deleted";
CREATE INDEX "workflow_schedule_due" ON "workflow_schedule" USING btree ("next_at") WHERE "workflow_schedule"."status" = 1 and not "workflow_schedule"."is_deleted";
CREATE INDEX "photo_score_photo" ON "photo_score" USING btree ("photo_id");
CREATE INDEX "secretary_leader" ON "secretary" USING btree ("leader_id");
CREATE INDEX "session_user" ON "session" USING btree ("user_id","last_seen");
CREATE INDEX "session_expires" ON "session" USING btree ("expires_at");
CREATE UNIQUE INDEX "shared_view_once" ON "shared_view" USING btree ("list","role_id",lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')),("columns" is null));
CREATE UNIQUE INDEX "supervise_sheet_number" ON "supervise_sheet" USING btree ("year","seq");
CREATE INDEX "supervise_sheet_sub" ON "supervise_sheet" USING btree ("sub_id","id");
CREATE INDEX "supervise_sheet_item" ON "supervise_sheet" USING btree ("supervise_id","id");
CREATE INDEX "supervise_sheet_unread" ON "supervise_sheet" USING btree ("owner") WHERE "supervise_sheet"."received_at" is null;
CREATE UNIQUE INDEX "duty_shift_once" ON "duty_shift" USING btree ("plan_id","day","name") WHERE "duty_shift"."cancelled_at" is null;
CREATE INDEX "duty_shift_time" ON "duty_shift" USING btree ("start_time","id");
CREATE INDEX "sms_batch_waiting" ON "sms_batch" USING btree ("id") WHERE "sms_batch"."state" = 0;
CREATE INDEX "sms_batch_by_sender" ON "sms_batch" USING btree ("sender_id","gmt_created");
CREATE UNIQUE INDEX "sms_group_name" ON "sms_group" USING btree ("creator_id",lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')));
CREATE INDEX "sms_group_alumni" ON "sms_group" USING gin ("alumnus_ids");
CREATE INDEX "sms_log_created" ON "sms_log" USING btree ("gmt_created","id");
CREATE INDEX "sms_log_tail" ON "sms_log" USING btree ("mobile_tail","id");
CREATE INDEX "sms_log_mark" ON "sms_log" USING btree ("mobile_mark","gmt_created");
CREATE INDEX "sms_log_dept" ON "sms_log" USING btree ("dept_id","id");
CREATE INDEX "sms_log_sender" ON "sms_log" USING btree ("sender_id","id");
CREATE INDEX "sms_log_batch" ON "sms_log" USING btree ("batch_id");
CREATE INDEX "sms_log_unsent" ON "sms_log" USING btree ("batch_id") WHERE "sms_log"."state" = 0;
CREATE UNIQUE INDEX "sms_log_delivery" ON "sms_log" USING btree ("delivery_id");
CREATE INDEX "sms_log_object" ON "sms_log" USING btree ("module","object_id");
CREATE INDEX "sms_log_failed" ON "sms_log" USING btree ("id") WHERE "sms_log"."state" in (3, 5);
CREATE INDEX "sms_log_unconfirmed" ON "sms_log" USING btree ("sent_at") WHERE "sms_log"."state" = 1;
CREATE INDEX "sms_log_search" ON "sms_log" USING gin ("search");
CREATE UNIQUE INDEX "sms_template_code_unique" ON "sms_template" USING btree ("code") WHERE not "sms_template"."is_deleted";
CREATE INDEX "sms_template_search" ON "sms_template" USING gin ("search");
CREATE INDEX "socket_ticket_expires" ON "socket_ticket" USING btree ("expires_at");
CREATE INDEX "stamp_dept_of" ON "stamp_dept" USING btree ("dept_id");
CREATE UNIQUE INDEX "stamp_name" ON "stamp" USING btree (lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')));
CREATE UNIQUE INDEX "stamp_number" ON "stamp" USING btree ("stamp_no") WHERE "stamp"."stamp_no" <> '';
CREATE INDEX "stamp_keeper" ON "stamp" USING btree ("keeper_id");
CREATE INDEX "stamp_search" ON "stamp" USING gin ("search");
CREATE INDEX "stand_in_taken" ON "stand_in" USING btree ("to_id","ends_at") WHERE "stand_in"."ended_at" is null;
CREATE INDEX "stand_in_given" ON "stand_in" USING btree ("from_id","id");
CREATE INDEX "stand_in_set" ON "stand_in" USING btree ("set_by","id") WHERE "stand_in"."set_by" is not null;
CREATE UNIQUE INDEX "stand_in_source" ON "stand_in" USING btree ("source_module","source_id") WHERE "stand_in"."source_id" is not null;
CREATE INDEX "supervise_sub_item" ON "supervise_sub" USING btree ("supervise_id","id");
CREATE INDEX "supervise_sub_owner" ON "supervise_sub" USING btree ("owner","status");
CREATE INDEX "supervise_sub_dept" ON "supervise_sub" USING btree ("dept","status");
CREATE INDEX "supervise_sub_co" ON "supervise_sub" USING gin ("co_users");
CREATE INDEX "supervise_sub_open" ON "supervise_sub" USING btree ("due_at","id","supervise_id","status","red_at","yellow_at","blue_at") WHERE "supervise_sub"."status" in (0, 1, 2, 4) and "supervise_sub"."issued_at" is not null;
CREATE UNIQUE INDEX "supervise_source_once" ON "supervise" USING btree ("source_module","source_id","source_key") WHERE "supervise"."source_module" is not null and not "supervise"."is_deleted";
CREATE INDEX "supervise_running" ON "supervise" USING btree ("due_at","id") WHERE "supervise"."status" in (1, 2);
CREATE INDEX "supervise_newest" ON "supervise" USING btree ("id" DESC NULLS LAST) WHERE not "supervise"."is_deleted";
CREATE INDEX "supervise_lead" ON "supervise" USING btree ("lead_dept","status");
CREATE INDEX "supervise_supervisor" ON "supervise" USING btree ("supervisor","status");
CREATE INDEX "supervise_search" ON "supervise" USING gin ("search");
CREATE INDEX "duty_swap_from" ON "duty_swap" USING btree ("from_id","id");
CREATE INDEX "duty_swap_with" ON "duty_swap" USING btree ("with_id","id");
CREATE INDEX "photo_tag_name" ON "photo_tag" USING btree ("kind","name");
CREATE INDEX "ticket_card_open" ON "ticket_card" USING btree ("ticket_id") WHERE "ticket_card"."settled_at" is null;
CREATE INDEX "ticket_card_expires" ON "ticket_card" USING btree ("expires_at");
CREATE INDEX "ticket_cc_by_user" ON "ticket_cc" USING btree ("user_id","gmt_created","ticket_id");
CREATE INDEX "ticket_cc_unread" ON "ticket_cc" USING btree ("user_id") WHERE "ticket_cc"."read_at" is null;
CREATE INDEX "ticket_event_unplaced" ON "ticket_event" USING btree ("log_id") WHERE "ticket_event"."position" is null;
CREATE UNIQUE INDEX "ticket_inquiry_nonce" ON "ticket_inquiry" USING btree ("nonce");
CREATE INDEX "ticket_inquiry_waiting" ON "ticket_inquiry" USING btree ("id") WHERE "ticket_inquiry"."answered_at" is null and "ticket_inquiry"."silent_at" is null;
CREATE INDEX "ticket_inquiry_of_token" ON "ticket_inquiry" USING btree ("ticket_id","token_no","id");
CREATE UNIQUE INDEX "ticket_log_file_once" ON "ticket_log_file" USING btree ("file_id");
CREATE UNIQUE INDEX "ticket_log_seq_unique" ON "ticket_log" USING btree ("ticket_id","seq");
CREATE UNIQUE INDEX "ticket_log_signature_once" ON "ticket_log" USING btree ("signature_file_id") WHERE "ticket_log"."signature_file_id" is not null;
CREATE INDEX "ticket_log_by_actor" ON "ticket_log" USING btree ("actor_id","at");
CREATE UNIQUE INDEX "ticket_sn_unique" ON "ticket" USING btree ("sn" text_pattern_ops);
CREATE UNIQUE INDEX "ticket_biz_unique" ON "ticket" USING btree ("biz_module","biz_id") WHERE "ticket"."biz_id" is not null and not "ticket"."is_deleted" and "ticket"."act_state" <> 5;
CREATE INDEX "ticket_newest" ON "ticket" USING btree ("gmt_created","id","act_state","creator_id") WHERE not "ticket"."is_deleted";
CREATE INDEX "ticket_by_creator" ON "ticket" USING btree ("creator_id","gmt_created","id") WHERE not "ticket"."is_deleted";
CREATE INDEX "ticket_by_dept" ON "ticket" USING btree ("dept_id","gmt_created","id") WHERE not "ticket"."is_deleted";
CREATE INDEX "ticket_by_act_state" ON "ticket" USING btree ("act_state","gmt_created","id") WHERE not "ticket"."is_deleted";
CREATE INDEX "ticket_by_workflow" ON "ticket" USING btree ("workflow_id","gmt_created","id") WHERE not "ticket"."is_deleted";
CREATE INDEX "ticket_by_version" ON "ticket" USING btree ("version_id","act_state");
CREATE INDEX "ticket_by_parent" ON "ticket" USING btree ("parent_ticket_id") WHERE "ticket"."parent_ticket_id" is not null;
CREATE INDEX "ticket_open_by_due" ON "ticket" USING btree ("due_at") WHERE "ticket"."due_at" is not null and "ticket"."act_state" = 1;
CREATE INDEX "ticket_form" ON "ticket" USING gin ("form" jsonb_path_ops);
CREATE INDEX "ticket_search" ON "ticket" USING gin ("search");
CREATE UNIQUE INDEX "ticket_task_one_open" ON "ticket_task" USING btree ("ticket_id","token_no","visit","assignee_id") WHERE "ticket_task"."status" in ('todo', 'waiting');
CREATE INDEX "ticket_task_duty" ON "ticket_task" USING btree ("assignee_id","ticket_id","ticket_deleted") WHERE "ticket_task"."status" = 'todo';
CREATE INDEX "ticket_task_worked" ON "ticket_task" USING btree ("assignee_id","ticket_id","ticket_deleted") WHERE "ticket_task"."status" in ('agree', 'refuse', 'other', 'returned', 'transferred');
CREATE INDEX "ticket_task_decided" ON "ticket_task" USING btree ("decided_at") WHERE "ticket_task"."status" in ('agree', 'refuse', 'other', 'returned', 'transferred');
CREATE INDEX "ticket_task_by_agent" ON "ticket_task" USING btree ("agent_id","ticket_id") WHERE "ticket_task"."agent_id" is not null;
CREATE INDEX "ticket_task_related" ON "ticket_task" USING btree ("assignee_id","ticket_id","status","agent_id","ticket_deleted");
CREATE INDEX "ticket_task_waiting" ON "ticket_task" USING btree ("assignee_id","ticket_id","no") WHERE "ticket_task"."status" = 'waiting';
CREATE INDEX "ticket_token_live_by_state" ON "ticket_token" USING btree ("state_id","ticket_id") WHERE "ticket_token"."status" <> 'done';
CREATE INDEX "ticket_token_deadline" ON "ticket_token" USING btree ("decision_deadline") WHERE "ticket_token"."decision_deadline" is not null and "ticket_token"."status" = 'active' and "ticket_token"."overdue_visit" is distinct from "ticket_token"."visit";
CREATE INDEX "ticket_token_timer" ON "ticket_token" USING btree ("timer_at") WHERE "ticket_token"."timer_at" is not null and "ticket_token"."status" = 'active';
CREATE INDEX "ticket_token_ahead" ON "ticket_token" USING btree ("ahead_at") WHERE "ticket_token"."ahead_at" is not null and "ticket_token"."status" = 'active';
CREATE INDEX "sign_on_trip_expires" ON "sign_on_trip" USING btree ("expires_at");
CREATE INDEX "file_upload_of" ON "file_upload" USING btree ("uploader_id");
CREATE INDEX "file_upload_file" ON "file_upload" USING btree ("file_id");
CREATE UNIQUE INDEX "stamp_use_one_a_line" ON "stamp_use" USING btree ("line_id") WHERE "stamp_use"."corrects_id" is null;
CREATE INDEX "stamp_use_time" ON "stamp_use" USING btree ("sealed_at","id");
CREATE INDEX "stamp_use_stamp" ON "stamp_use" USING btree ("stamp_id","sealed_at");
CREATE INDEX "stamp_use_application" ON "stamp_use" USING btree ("application_id");
CREATE INDEX "stamp_use_search" ON "stamp_use" USING gin ("search");
CREATE INDEX "user_dept_dept" ON "user_dept" USING btree ("dept_id");
CREATE UNIQUE INDEX "user_group_name_unique" ON "user_group" USING btree (lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g')));
CREATE INDEX "user_role_role" ON "user_role" USING btree ("role_id");
CREATE INDEX "user_role_until" ON "user_role" USING btree ("until") WHERE "user_role"."until" is not null;
CREATE UNIQUE INDEX "app_user_username_unique" ON "app_user" USING btree (lower("username"));
CREATE INDEX "app_user_by_username" ON "app_user" USING btree ("username");
CREATE UNIQUE INDEX "app_user_phone_unique" ON "app_user" USING btree ("phone") WHERE not "app_user"."is_deleted";
CREATE INDEX "app_user_dept" ON "app_user" USING btree ("dept_id","sort","id");
CREATE INDEX "app_user_search" ON "app_user" USING gin ("search");
CREATE UNIQUE INDEX "verify_code_record_unique" ON "verify_code" USING btree ("module","record_id");
CREATE INDEX "customer_visit_customer" ON "customer_visit" USING btree ("customer_id","visited_at");
CREATE UNIQUE INDEX "meet_waiting_once" ON "meet_waiting" USING btree ("user_id",coalesce("room_id", 0),coalesce("office_id", 0),"start_time","end_time") WHERE not "meet_waiting"."missed";
CREATE INDEX "meet_waiting_time" ON "meet_waiting" USING btree ("start_time");
CREATE INDEX "monitor_window_projects" ON "monitor_window" USING gin ("project_ids");
CREATE UNIQUE INDEX "workflow_grant_unique" ON "workflow_grant" USING btree ("workflow_id","permission","holder_type","holder");
CREATE INDEX "workflow_grant_holder" ON "workflow_grant" USING btree ("holder_type","holder","permission");
CREATE UNIQUE INDEX "workflow_key_unique" ON "workflow" USING btree ("key") WHERE not "workflow"."is_deleted";
CREATE UNIQUE INDEX "workflow_name_unique" ON "workflow" USING btree (lower(regexp_replace(normalize(translate("name", '⺁⺂⺃⺄⺅⺆⺈⺉⺊⺋⺌⺍⺎⺏⺐⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺟⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺫⺬⺭⺯⺰⺱⺲⺳⺴⺶⺹⺺⺻⺼⺾⺿⻀⻁⻂⻃⻄⻅⻆⻈⻉⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳⼾⾭〔〕【】〖〗［］[]', '厂乛乚乙亻冂刀刂卜㔾小小兀尣尢巳幺彑彐忄心扌攵旡日月歺母民氵氺灬爫爫丬牛犭王目示礻糹纟罓罒㓁冗羊耂肀聿肉艹艹艹虎衤覀西见角讠贝车辶辶辶邑钅長镸长门阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟户青()()()()()'), NFKC), '[\s\u00AD\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFE00-\uFE0F\uFEFF]', '', 'g'))) WHERE not "workflow"."is_deleted";
CREATE UNIQUE INDEX "workflow_version_no_unique" ON "workflow_version" USING btree ("workflow_id","no");
CREATE UNIQUE INDEX "workflow_version_one_published" ON "workflow_version" USING btree ("workflow_id") WHERE "workflow_version"."status" = 'published';
CREATE UNIQUE INDEX "workflow_version_one_draft" ON "workflow_version" USING btree ("workflow_id") WHERE "workflow_version"."status" = 'draft';
