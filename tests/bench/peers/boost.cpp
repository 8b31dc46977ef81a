/* SPDX-License-Identifier: MIT */
/*
 * The Boost.Context peer: stackful fibers with pooled stacks of 16 KiB and a few lines, so that
 * they do not all fall on the same sets of a cache. A call inside a fiber is a plain call.
 * Cancelling destroys the fiber, which unwinds its stack by an exception.
 */
#include "bench.h"

#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>

#include <cstdint>
#include <vector>

namespace {

using boost::context::fiber;

boost::context::pooled_fixedsize_stack &stacks()
{
    static boost::context::pooled_fixedsize_stack pool(16384 + 5 * 64);
    return pool;
}

/* What waits for the next tick, and what goes on in this one. */
std::vector<fiber> next, now;
bool stop_all;
std::uint64_t resumed;

void tick()
{
    std::swap(next, now);
    for (fiber &f : now) {
        f = std::move(f).resume();
        if (f) {
            next.push_back(std::move(f));
        }
    }
    now.clear();
}

template <typename Body> void start(Body &&body)
{
    fiber f = fiber(std::allocator_arg, stacks(), std::forward<Body>(body)).resume();
    if (f) {
        next.push_back(std::move(f));
    }
}

/* ---- resume ---- */

void resume_begin(bench_run *run)
{
    for (std::uint32_t i = 0; i < run->n; i++) {
        start([](fiber &&scheduler) {
            while (!stop_all) {
                resumed++;
                scheduler = std::move(scheduler).resume();
            }
            return std::move(scheduler);
        });
    }
}

void ticks(bench_run *run, std::uint32_t flows)
{
    std::uint32_t rounds = bench_rounds(flows);
    std::uint64_t before = resumed;
    bench_start(run);
    for (std::uint32_t i = 0; i < rounds; i++) {
        tick();
    }
    bench_stop(run);
    run->items = rounds * flows;
    bench_require(resumed - before == run->items, "not all were resumed");
}

void resume_batch(bench_run *run)
{
    ticks(run, run->n);
}

void fibers_end(bench_run *)
{
    stop_all = true;
    tick();
    stop_all = false;
}

BENCH_APART void deep(fiber &scheduler, std::uint32_t calls)
{
    if (calls > 1) {
        deep(scheduler, calls - 1);
        bench_use(calls);
        return;
    }
    while (!stop_all) {
        resumed++;
        scheduler = std::move(scheduler).resume();
    }
}

void deep_begin(bench_run *run)
{
    for (int i = 0; i < BENCH_DEEP_FLOWS; i++) {
        std::uint32_t calls = run->n;
        start([calls](fiber &&scheduler) {
            deep(scheduler, calls);
            return std::move(scheduler);
        });
    }
}

void deep_batch(bench_run *run)
{
    ticks(run, BENCH_DEEP_FLOWS);
}

/* A chain of n calls whose innermost yields once: what the fiber does between two ticks. */
BENCH_APART void chain(fiber &scheduler, std::uint32_t calls)
{
    if (calls > 1) {
        chain(scheduler, calls - 1);
        bench_use(calls);
        return;
    }
    resumed++;
    scheduler = std::move(scheduler).resume();
}

void chain_begin(bench_run *run)
{
    for (int i = 0; i < BENCH_DEEP_FLOWS; i++) {
        std::uint32_t calls = run->n;
        start([calls](fiber &&scheduler) {
            while (!stop_all) {
                chain(scheduler, calls);
            }
            return std::move(scheduler);
        });
    }
}

/* ---- lifecycles ---- */

void lifecycle(bench_run *run, int suspensions)
{
    std::uint64_t ended = 0;
    bench_start(run);
    for (std::uint32_t i = 0; i < run->n; i++) {
        start([&ended, suspensions](fiber &&scheduler) {
            for (int k = 0; k < suspensions; k++) {
                scheduler = std::move(scheduler).resume();
            }
            ended++;
            return std::move(scheduler);
        });
    }
    for (int i = 0; i < suspensions; i++) {
        tick();
    }
    bench_stop(run);
    bench_require(ended == run->n, "a fiber did not end");
}

void lifecycle_1_batch(bench_run *run)
{
    lifecycle(run, 1);
}

void lifecycle_4_batch(bench_run *run)
{
    lifecycle(run, 4);
}

void loops_16_batch(bench_run *run)
{
    lifecycle(run, 16);
    run->items = run->n * 16;
}

/* ---- cancelling ---- */

void cancel_batch(bench_run *run)
{
    struct finally {
        std::uint64_t *count;
        ~finally() { ++*count; }
    };
    std::uint64_t cleaned = 0;
    for (std::uint32_t i = 0; i < run->n; i++) {
        start([&cleaned](fiber &&scheduler) {
            finally guard{&cleaned};
            scheduler = std::move(scheduler).resume();
            return std::move(scheduler);
        });
    }
    bench_start(run);
    while (!next.empty()) {
        next.pop_back();
    }
    bench_stop(run);
    bench_require(cleaned == run->n, "a guard was not destroyed");
}

const bench_case cases[] = {
    {"scale", "resume_one", "Boost", 128, resume_begin, resume_batch, fibers_end},
    {"scale", "resume_one", "Boost", 4096, resume_begin, resume_batch, fibers_end},
    {"onity", "lifecycle_1", "Boost", 4096, nullptr, lifecycle_1_batch, nullptr},
    {"flowtask", "resume_deep", "Boost", 1, deep_begin, deep_batch, fibers_end},
    {"flowtask", "resume_deep", "Boost", 10, deep_begin, deep_batch, fibers_end},
    {"flowtask", "resume_deep", "Boost", 100, deep_begin, deep_batch, fibers_end},
    {"flowtask", "cancel", "Boost", 100, nullptr, cancel_batch, nullptr},
    {"flowtask", "cancel", "Boost", 500, nullptr, cancel_batch, nullptr},
    {"flowtask", "cancel", "Boost", 4096, nullptr, cancel_batch, nullptr},
    {"onity", "lifecycle_4", "Boost", 4096, nullptr, lifecycle_4_batch, nullptr},
    {"onity", "loops_16", "Boost", 1024, nullptr, loops_16_batch, nullptr},
    {"onity", "loops_16", "Boost", 4096, nullptr, loops_16_batch, nullptr},
    {"runtime_async", "yield", "Boost", 1, deep_begin, deep_batch, fibers_end},
    {"runtime_async", "chain", "Boost", 1, chain_begin, deep_batch, fibers_end},
    {"runtime_async", "chain", "Boost", 10, chain_begin, deep_batch, fibers_end},
    {"runtime_async", "chain", "Boost", 100, chain_begin, deep_batch, fibers_end},
};

} // namespace

BENCH_PEER(cases)
