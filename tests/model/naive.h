/* SPDX-License-Identifier: MIT */
/*
 * The reference: what design and documentation say, as plainly as possible. Everything is a list in
 * the order in which it came to be, what is looked for is searched, what has ended stays (so that a
 * handle is a pointer), and code on the C stack is just that: a flow that starts another calls it.
 */
#ifndef TESTS_NAIVE_H
#define TESTS_NAIVE_H

#include "model.h"

/* A list of pointers; removal keeps the order. */
typedef struct vec {
    void **item;
    int count, room;
} vec;

void vec_push(vec *v, void *item);
void vec_remove(vec *v, const void *item);
bool vec_has(const vec *v, const void *item);
vec vec_copy(const vec *v);

typedef struct nclock {
    struct nclock *parent;
    bool ended, counts, closes;
    int pauses;
    double scale;
    long double time[FLOW_PHASE_LIMIT]; /* ns */
    int64_t step[FLOW_PHASE_LIMIT];
    int64_t ticks[FLOW_PHASE_LIMIT];
} nclock;

typedef struct nfault {
    int code;
    struct nframe *scope; /* a child's failure: until this frame is left nobody takes it */
} nfault;

typedef struct nbeat {
    int period; /* ms; 0: it was not begun */
    int64_t beats, origin;
    nclock *clock;
    int phase;
} nbeat;

/* A set: branches to be started, and those that flow_each has started. */
typedef struct nset {
    bool begun;
    int code; /* why it cannot be awaited */
    vec branches;
    int count, taken;
    struct nwait *each;
    vec ended; /* to be told of */
    struct nwait *waiter;
} nset;

typedef struct nframe {
    struct nflow *flow;
    struct nframe *caller;
    struct run *run;
    bool trying, shield, leaving, in_finally, cleaned, protected_before;
    bool awaits;   /* its instruction's await is to be finished */
    nfault *under; /* the failure that waits while its finally section runs */
    vec resources;
    nbeat beat;
    nset set;
} nframe;

typedef enum doing {
    IS_NEW, /* its arguments are written */
    IS_RUNNING,
    IS_WAITING,
    IS_READY,
    IS_HELD,
    IS_CLOSING, /* for its children */
    IS_STOPPED, /* it is to be unwound */
    IS_GROUP,
    IS_OVER
} doing;

typedef struct nflow {
    bool group, fail_fast, clearing;
    doing doing;
    nframe *top;
    struct nflow *owner;
    nframe *scope; /* of the owner */
    vec children;  /* as they were started */
    vec joiners;   /* waits */
    int phase;
    nclock *clock;
    struct nwait *wait;
    bool has_result;
    bool cancelled, unwinding, fixed, protected, asked, pending;
    flow_cause cause;
    nfault *fault, *child_fault;
    int on_stack;
    nclock *held_on;
    bool gradual;
    int budget;   /* flows that are unwound in a tick */
    int64_t turn; /* the tick that it has had */
    flow_outcome outcome;
    long end; /* how many had ended before */
} nflow;

typedef struct nsource {
    bool closed;
    int code;
    vec list; /* waits and subscriptions, as they came */
    struct nvisit *visit;
} nsource;

/* A value on its way to those who waited when it was emitted. */
typedef struct nvisit {
    vec to;
    int next, value, reached, depth;
} nvisit;

typedef struct nvalue {
    int value;
    long number;
} nvalue;

typedef struct nsub {
    bool is_sub; /* tells it from a wait in a source's list */
    nsource *source;
    flow_policy policy;
    int capacity;
    bool closed, gone;
    int code;
    vec values, waits;
    long number;
    nflow *owner;
    nframe *scope;
} nsub;

typedef struct nproperty {
    bool ended;
    int value;
    long version;
    vec waits;
    struct ntelling *telling;
} nproperty;

/* A value of a property on its way to those who waited when it was set. */
typedef struct ntelling {
    vec to;
    int next, value, depth;
    struct ntelling *outer;
} ntelling;

typedef struct nchannel {
    int capacity;
    bool closed; /* no more goes in */
    bool over;   /* nor comes out */
    bool gone;
    int code;
    vec values, receivers, senders, watchers, enders;
    int handed; /* values on their way to a flow */
    long number;
} nchannel;

typedef struct nwait {
    bool is_sub;
    wait_kind kind;
    const struct wait *spec;
    struct run *run;
    nflow *flow;
    struct nwait *parent;
    int branch, a, b;
    vec branches;
    bool settled, starting, closed;
    int open;
    bool on; /* a leaf that is waiting */
    int code;
    nfault *fault;
    nclock *clock;
    bool lends; /* another clock to its flow, while it begins */
    nclock *lent;
    nbeat *beat;
    nset *set;          /* whose branches it takes, or one of whose it waits for */
    struct nwait *told; /* the branch of the set that its flow has yet to take */
    int tag, number;    /* in the set */
    int phase, to_phase;
    int64_t due;
    nsource *source;
    nsub *sub;
    nproperty *property;
    bool changed; /* the property's latest value is its flow's when that goes on */
    nchannel *channel;
    vec *stands_in; /* of a property or channel */
    bool has_value;
    nvalue value;
    nflow *target;
    bool owns; /* a called branch */
} nwait;

typedef enum resource_kind { R_DEFER, R_PAUSE, R_CLOCK, R_SUBSCRIPTION, R_SET } resource_kind;

typedef struct resource {
    resource_kind kind;
    void *what;
} resource;

typedef struct nowner {
    nflow *group;
    nsource *gone;
} nowner;

/* What was sent to the next frame. */
typedef struct nmessage {
    const struct ins *ins; /* a posted call */
    nsource *source;       /* an emit */
    int value;
    nflow *flow; /* a cancel */
} nmessage;

typedef struct naive {
    struct side *side;
    nflow *root;
    vec clocks, waits, held, ready[FLOW_PHASE_LIMIT], marked;
    long frame, ends;
    int depth;
    flow_counters count;
    vec flows;
    nflow *slot[FLOW_SLOTS + GROUP_SLOTS];
    nclock *clock[CLOCKS];
    nsource *signal[SIGNALS];
    nsub *sub[SUBSCRIPTIONS];
    nproperty *property[PROPERTIES];
    nchannel *channel[CHANNELS];
    vec inbox;
    vec put_off;    /* to be unwound when nothing is running */
    nflow *current; /* whose turn it is in a tick */
    int nested;     /* starts and unwindings on the C stack */
    bool settling;
    vec gradual; /* groups that are cancelled a little each tick */
    nowner owner[OWNERS];
} naive;

extern naive model;

typedef enum begun { BEGUN_WAITS, BEGUN_DONE, BEGUN_FAILED } begun;

void *make(size_t size);

/* What both sides can do. */
#define CALL(type, name, parameters) type naive_##name parameters;
SIDE_CALLS(CALL)
#undef CALL

/* naive_tick.c */
void tick(int phase, double dt);
void ready_run(int phase);

/* naive_act.c */
nflow *live(int whom);
void resource_add(const struct run *run, resource_kind kind, void *what);

/* naive_clock.c */
nclock *clock_of(int clock);
bool clock_paused(const nclock *clock);
int64_t clock_now(const nclock *clock, int phase);
nclock *clock_new(nclock *parent);
void clock_end(nclock *clock);
void clocks_advance(int phase, double dt);
void real_advance(double dt);

/* naive_flow.c */
nflow *flow_new(nflow *owner, nframe *scope, int block);
nflow *group_new(nflow *owner, nframe *scope);
nframe *frame_new(nflow *flow, int block);
void flow_discard(nflow *flow);
bool takes_children(const nflow *owner, const nframe *scope);
bool must_leave(const nflow *flow);
bool is_on_stack(const nflow *tree);
void start(nflow *flow);
void drive(nflow *flow);
void drive_down(nflow *flow, const nframe *to);
void wake(nflow *flow);
void queue(nflow *flow);
void out_of_wait(nflow *flow);
void mark(nflow *flow);
void unmark(nflow *flow);
bool ends_by_itself(nflow *flow, flow_cause cause);
bool is_owned_by(const nflow *flow, const nflow *owner);
nfault *fault_new(int code);

/* naive_fail.c */
void report(const nfault *fault, flow_failure_kind kind);
void arrive(nflow *flow);
void body_over(nframe *frame);
void finally_begins(nframe *frame);
void finally_over(nframe *frame);
void child_fault_climbs(nflow *flow);
void scope_fails(nflow *owner, nframe *scope, nfault *fault);
void group_fails(nflow *group, nfault *fault);

/* naive_leave.c */
void leave(nflow *flow);
void unwind(nflow *flow, flow_cause cause);
void ended_told(nflow *owner);
int cancel(nflow *flow, flow_cause cause);
int clear(nflow *group);
void mark_tree(nflow *flow, flow_cause cause);
void settle_marked(void);

/* naive_gradual.c */
void gradual_pass(int phase);

/* naive_wait.c */
nwait *wait_prepare(nflow *flow, struct run *run, const struct wait *spec);
void wait_discard(nwait *wait);
begun wait_begin(nwait *wait);
void wait_drop(nwait *wait);
void wait_end(nwait *wait, int code, bool now);
nwait *wait_new(nflow *flow, struct run *run, wait_kind kind, int a, int b);
nwait *prepare_branch(nflow *flow, struct run *run, int given);
void branch_add(nwait *wait, nwait *branch);
void leaf_drop(nwait *wait);
void values_taken(nwait *wait);
begun failed(nwait *wait, int code);
bool is_timer(const nwait *wait);

/* naive_compose.c */
begun begin_composition(nwait *node);
void begin_branch(nwait *node, nwait *branch);
void composition_told(nwait *branch);
bool composition_close(nwait *root);
bool is_alive(const nwait *wait);

/* naive_set.c */
enum { W_EACH_ROOT = W_LAST }; /* a composition of what flow_each has started */
int set_take(nwait *node);
void set_clear(nset *set);
void set_end(nset *set);
begun each_wait(nwait *wait);
void each_told(nwait *branch);
void each_taken(nwait *wait);
void each_give_back(nwait *wait);

/* naive_beat.c */
begun beat_wait(nwait *wait);
void beat_given(nwait *wait);
bool is_composition(const nwait *wait);

/* naive_source.c */
nsource *source_new(void);
int source_emit(nsource *source, int value);
void source_close(nsource *source, int code);
begun source_wait(nwait *wait, nsource *source);
void source_leave(nwait *wait);
nsub *sub_new(nsource *source, int policy, int capacity);
void sub_end(nsub *sub);
begun sub_wait(nwait *wait, nsub *sub);
void sub_give_back(nwait *wait);
void keep(vec *values, nvalue value);

/* naive_property.c */
nproperty *property_new(int value);
begun property_wait(nwait *wait, nproperty *property);
void property_seen(nwait *wait);

/* naive_channel.c */
nchannel *channel_new(int capacity);
begun channel_wait(nwait *wait, nchannel *channel);
void channel_taken(nwait *wait);
void channel_give_back(nwait *wait);

#endif
